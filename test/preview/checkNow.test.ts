// "Check your page" against a running server: how many posts the lists of a page hold now, and whether they have room at the first paint.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../server/checkup/finding.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';

const SLOTS =
  '<aside><afterword-top data-days="7"></afterword-top></aside>' +
  `<article><p>${'Words of the story. '.repeat(200)}</p></article>` +
  '<div data-afterword="related" data-limit="4"></div><div data-afterword="related" data-section="Nowhere"></div>' +
  '<div data-afterword="related" data-limit="50"></div><div data-afterword="related" data-pub_date_start="soon"></div>';

describe('a page that is checked while the server runs', () => {
  let server: TestServer;
  let site: TestSite;
  let publisher: Server;
  let origin: string;
  let head = '';

  beforeAll(async () => {
    server = await startServer({ flags: ['--allow-private-crawl'] });
    publisher = createServer((_, response) => {
      const tag = `<script async src="${server.url}/afterword.js" data-site="paper.example"></script>`;
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><title>A story</title>${head}${tag}<body>${SLOTS}`);
    });
    await new Promise<void>((done) => publisher.listen(0, '127.0.0.1', done));
    const { port } = publisher.address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
    site = await addSite(server, 'paper.example', '--domain', `127.0.0.1:${port}`);
    for (let index = 1; index <= 7; index++) {
      const metadata = { canonical_url: `${origin}/story-${index}`, title: `Story ${index}`, section: 'Science' };
      await postJson(server, '/v2/metadata/posts', { apikey: site.apikey, secret: site.write_secret, metadata });
    }
  });
  afterAll(async () => {
    publisher.closeAllConnections();
    publisher.close();
    await server.stop();
  });

  const check = async () => {
    const query = { apikey: site.apikey, url: `${origin}/story-1` };
    return (await getJson<{ data: Finding[] }>(server, '/preview/check', query)).data;
  };
  const about = (findings: Finding[], what: string) => findings.filter((finding) => finding.about === what);

  test('says how many posts each list holds now, of how many, and why one is refused', async () => {
    const found = about(await check(), 'lists now');
    expect(found.map(({ says, state }) => `${state}: ${says}`)).toEqual([
      'warning: <afterword-top> is empty now.',
      'ok: The slot "related" holds 4 posts of at most 4 now.',
      'warning: The slot "related" is empty now.',
      'ok: The slot "related" holds 6 posts of at most 25 now.',
      'warning: The slot "related" is refused (422).',
    ]);
    expect(found[0]!.remedy).toContain('viewed');
    expect(found[4]!.remedy).toContain('2026-01-31');
  });

  test('warns of a list that may be in view before it has room, until the page makes the room', async () => {
    head = '';
    const [finding] = about(await check(), 'first visit');
    expect(finding).toMatchObject({ state: 'warning' });
    expect(finding!.says).toContain('(top)');
    head = '<style>[data-afterword="top"]::before,afterword-top { min-height: 20em; content: "" }</style>';
    expect(about(await check(), 'first visit')).toEqual([]);
  });

  test('says the same in doctor', async () => {
    const { stdout } = await runInProcess(['doctor', '--json', '--data', server.dataDir, `${origin}/story-1`]);
    const says = (JSON.parse(stdout) as Finding[]).map((finding) => finding.says);
    expect(says).toContain('The slot "related" holds 4 posts of at most 4 now.');
  });
});
