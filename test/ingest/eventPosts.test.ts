// Posts of content that only an app knows: made of the metadata of its views, where the site allows it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BEACON_FLAGS, BROWSER } from '../support/beacons.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
/** Takes metadata of events; does not. */
let [open, closed]: TestSite[] = [];
beforeAll(async () => {
  server = await startServer();
  open = await addSite(server, 'app.example', ...BEACON_FLAGS, '--event-metadata', 'on');
  closed = await addSite(server, 'web.example', ...BEACON_FLAGS);
});
afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

const PUBLISHED = Date.parse('2026-01-02T03:04:05Z');
const METADATA = {
  title: 'Only in the app',
  section: 'Apps',
  authors: ['Ann Author'],
  tags: ['phones'],
  image_url: 'https://images.example/a.jpg',
  pub_date_tmsp: PUBLISHED,
};
let pages = 0;
const newPage = (site: TestSite) => `http://localhost:9/${site.apikey}/${pages++}`;

interface View {
  site: TestSite;
  url: string;
  metadata?: unknown;
  path?: string;
}
async function view({ site, url, metadata = METADATA, path = '/mobileproxy' }: View): Promise<void> {
  const event = {
    idsite: site.apikey,
    action: 'pageview',
    url,
    data: { ts: Date.now(), parsely_site_uuid: 'd' },
    metadata,
  };
  const headers = { 'User-Agent': BROWSER };
  const query = { ...event, data: JSON.stringify(event.data), metadata: JSON.stringify(metadata) };
  const answer =
    path === '/plogger/'
      ? await fetch(`${server.url}${path}?${new URLSearchParams(query)}`, { headers })
      : await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify({ events: [event] }) });
  expect(answer.status).toBe(200);
  await allStored(server);
}

type Post = Record<string, unknown>;
async function postOf(site: TestSite, url: string): Promise<Post | undefined> {
  const { data } = await getJson(server, '/v2/analytics/post/detail', {
    apikey: site.apikey,
    secret: site.secret,
    url,
  });
  return (data as Post[])[0];
}
const made = (site: TestSite, url: string) => until('the post is made', () => postOf(site, url));

async function outcomes(): Promise<Record<string, number>> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const lines = text.matchAll(/^afterword_event_metadata_total\{outcome="([^"]*)"\} (\d+)/gm);
  return Object.fromEntries([...lines].map(([, outcome, count]) => [outcome, Number(count)]));
}

test.each(['/mobileproxy', '/events', '/plogger/'])('a view at %s makes a post of its page', async (path) => {
  const url = newPage(open!);
  await view({ site: open!, url, path });
  expect(await made(open!, url)).toMatchObject({
    url,
    title: 'Only in the app',
    section: 'Apps',
    authors: ['Ann Author'],
    tags: ['phones'],
    image_url: 'https://images.example/a.jpg',
    pub_date: '2026-01-02T03:04:05',
    _hits: 1,
  });
});

test('where the site does not allow it, the view counts and there is no post', async () => {
  const [url, later] = [newPage(closed!), newPage(open!)];
  await view({ site: closed!, url });
  await view({ site: open!, url: later });
  await made(open!, later);
  await allStored(server);
  expect(await postOf(closed!, url)).toBeUndefined();
  const { data } = await getJson(server, '/v2/analytics/channels', { apikey: closed!.apikey, secret: closed!.secret });
  expect(data).toMatchObject([{ name: 'website', _hits: 1 }]);
});

test('what the publisher has sent stands, before or after; an event only fills in what nothing has said', async () => {
  const url = newPage(open!);
  const post = (metadata: Record<string, unknown>) =>
    postJson(server, '/v2/metadata/posts', {
      apikey: open!.apikey,
      secret: open!.write_secret,
      metadata: { canonical_url: url, ...metadata },
    });
  await post({ title: 'As published', tags: [] });
  await view({ site: open!, url });
  await until('the section is filled in', async () => (await postOf(open!, url))?.section === 'Apps');
  expect(await postOf(open!, url)).toMatchObject({ title: 'As published', tags: [], authors: ['Ann Author'] });
  await view({ site: open!, url, metadata: { ...METADATA, section: 'Invented', title: 'Invented' } });
  await post({ section: 'News' });
  const { known = 0 } = await outcomes();
  await view({ site: open!, url, metadata: { ...METADATA, section: 'Invented again' } });
  await until('it is looked at', async () => ((await outcomes()).known ?? 0) > known);
  expect(await postOf(open!, url)).toMatchObject({ title: 'As published', section: 'News' });
});

test('hostile and impossible values are left out one by one, and the view counts', async () => {
  const url = newPage(open!);
  const metadata = {
    title: 'Don&#8217;t <script>',
    section: 'x'.repeat(501),
    authors: ['Ann', 7, 'x'.repeat(501), { name: 'Bob' }],
    tags: Array.from({ length: 51 }, (_, n) => `tag-${n}`),
    image_url: 'javascript:alert(1)',
    pub_date_tmsp: Date.now() + 86_400_000,
    page_type: 'post',
    full_content: 'words '.repeat(100),
  };
  await view({ site: open!, url, metadata });
  expect(await made(open!, url)).toMatchObject({
    title: 'Don’t <script>',
    section: '',
    authors: ['Ann'],
    tags: [],
    image_url: '',
    pub_date: '',
    full_content_word_count: 0,
    _hits: 1,
  });
});

test('without a title, or about a page that is no post, metadata makes none', async () => {
  const [untitled, index, broken, last] = [1, 2, 3, 4].map(() => newPage(open!)) as [string, string, string, string];
  await view({ site: open!, url: untitled, metadata: { section: 'Apps' } });
  await view({ site: open!, url: index, metadata: { ...METADATA, page_type: 'index' } });
  await view({ site: open!, url: broken, metadata: ['Only in the app'] });
  await view({ site: open!, url: last });
  await made(open!, last);
  for (const url of [untitled, index, broken]) expect(await postOf(open!, url)).toBeUndefined();
});

test('what waits is written before the server ends', async () => {
  const url = newPage(open!);
  await view({ site: open!, url });
  expect(await server.stop()).toBe(0);
  server = await startServer({ dataDir: server.dataDir });
  expect(await postOf(open!, url)).toMatchObject({ title: 'Only in the app', _hits: 1 });
});
