// `afterword-demo` as a newcomer meets it: one command, a newspaper, a month of readers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { getJson } from '../support/http.ts';
import { startDemo } from './startDemo.ts';

interface List {
  data: { url: string; _hits: number }[];
  success: boolean;
}

interface Checked {
  data: { about: string; state: string }[];
}

afterAll(removeDataDirs);

describe('afterword-demo', () => {
  it('prints a newspaper and fills it with readers, once, however often it is started', async () => {
    const first = await startDemo({ live: true });
    const { dataDir, site, secret, paper } = first;
    // A day more than the world has, so that no view grows too old between the two starts.
    const ask = (url: string) =>
      getJson<List>({ url }, '/v2/analytics/posts', { apikey: site, secret: secret!, period_start: '6d', limit: 100 });
    const port = Number(new URL(paper).port);

    expect(await (await fetch(`${paper}/`)).text()).toContain(`${first.url}/afterword.js" data-site="${site}"`);
    expect((await fetch(`${first.url}/afterword.js`)).status).toBe(200);
    const counted = await ask(first.url);
    expect(counted.data.length).toBeGreaterThan(40);
    const top = await getJson<List>(first, '/v2/top/posts', { apikey: site, limit: 25, days: 5 });
    expect(top.data).toHaveLength(25);
    for (const { url } of top.data) expect(`${(await fetch(url)).status} ${url}`).toBe(`200 ${url}`);
    const check = await getJson<Checked>(first, '/preview/check', { apikey: site, url: top.data[0]!.url });
    expect(check.data.map(({ about, state }) => `${about} ${state}`)).toEqual([
      'page ok',
      'tag ok',
      'lists ok',
      'security policy ok',
      'canonical URL ok',
      'metadata ok',
      'lists now ok',
      'lists now ok',
    ]);
    expect(first.output()).toContain(`The console            ${paper}/_console`);
    const entered = await fetch(`${paper}/_console`, { redirect: 'manual' });
    const cookie = entered.headers.get('Set-Cookie')!.split(';')[0]!;
    expect(entered.headers.get('Location')).toBe(`http://localhost:${new URL(first.url).port}/console/`);
    const console = `${first.url}/console/api/v2/analytics/posts?period_start=6d&limit=100`;
    const seen = (await (await fetch(console, { headers: { Cookie: cookie } })).json()) as List;
    // Readers come meanwhile: a post has as many views as before, or some more.
    const views = ({ data }: List) => data.reduce((sum, { _hits }) => sum + _hits, 0);
    expect(seen.data.length).toBeGreaterThanOrEqual(counted.data.length);
    expect(views(seen)).toBeGreaterThanOrEqual(views(counted));
    expect(views(seen)).toBeLessThan(views(counted) + 20);
    expect(await first.stop()).toBe(0);

    const second = await startDemo({ dataDir, paperPort: port });
    expect(second.secret).toBeUndefined();
    // The line is for a shell; npx finds the command in the project's folder.
    const [, words = ''] = /Make a new secret:\n +npx afterword (.*)\n/.exec(second.output()) ?? [];
    const rotated = await runCommand([...words.replaceAll("'", '').split(' '), '--overlap', '1h', '--json']);
    expect(JSON.parse(rotated.stdout)).toMatchObject({ apikey: site, secret: expect.any(String) });
    const [, made = ''] = /Ask for the operator’s token:\n +npx afterword (.*)\n/.exec(second.output()) ?? [];
    const { token } = JSON.parse((await runCommand([...made.replaceAll("'", '').split(' '), '--json'])).stdout);
    const operator = await fetch(`${second.url}/console/operator`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    expect(await operator.json()).toMatchObject({ data: { role: 'operator' } });
    const again = await ask(second.url);
    // The moments between the two starts have readers too.
    expect(views(again)).toBeGreaterThanOrEqual(views(counted));
    expect(views(again)).toBeLessThan(views(counted) + 20);
    expect(await second.stop()).toBe(0);
  });

  it('says so when a port that was asked for is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => other.once('listening', done));
    const { port } = other.address() as AddressInfo;
    for (const flag of ['--port', '--demo-port']) {
      const { code, stderr } = await runCommand([
        'afterword-demo',
        '--no-open',
        '--data',
        makeDataDir(),
        flag,
        String(port),
      ]);
      expect(code).toBe(1);
      expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use by another program. Choose another with ${flag}.`);
    }
    other.close();
  });

  it.each([
    ['--days', '0', 'from 1 to 90'],
    ['--views', 'many', 'from 10 to 100000'],
    ['--demo-port', '70000', 'from 1 to 65535'],
  ])('refuses %s %s and says what it takes', async (flag, value, range) => {
    const { code, stderr } = await runCommand(['afterword-demo', '--no-open', '--data', makeDataDir(), flag, value]);
    expect(code).toBe(2);
    expect(stderr).toContain(`It takes a whole number ${range}.`);
  });
});
