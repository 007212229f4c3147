// GET /related, /similar, /profile, /history through the front door, on a real engine.
import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PostPatch } from '../../server/posts/post.ts';
import { createProfiles } from '../../server/readers/profiles.ts';
import { createLibrary } from '../../server/siteIndex/library.ts';
import type { LoadedLibrary } from '../../server/siteIndex/types.ts';
import type { SiteDirectory } from '../../server/sites/directory.ts';
import { createExclusions } from '../../server/sites/exclusions.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { openStore } from '../../server/storage/openStore.ts';
import type { Store } from '../../server/storage/store.ts';
import { migratedScratch, type Scratch, silent } from '../storage/scratch.ts';
import { openRoutes } from '../support/routes.ts';

const now = () => Date.UTC(2026, 5, 1, 12);
const at = (name: string) => `https://news.example/${name}`;

const site = (id: string, recommendationsOn: boolean): Site => ({
  id: parseSiteId(id)!,
  timezone: 'America/New_York',
  domains: [],
  features: { top: true, recommendations: recommendationsOn, search: true },
  secretHash: '',
  writeSecretHash: '',
  createdAt: 0,
});
const known = [site('news.example', true), site('quiet.example', false)];
const sites = { find: (id: string) => known.find((one) => one.id === parseSiteId(id)) };

let place: Scratch;
let store: Store;
let library: LoadedLibrary;
let app: Hono;

type Body = Record<string, unknown> & { data: Record<string, unknown>[] };

async function ask(path: string, params: Record<string, string | readonly string[]> = {}) {
  const query = new URLSearchParams({ apikey: 'news.example' });
  for (const [name, value] of Object.entries(params)) for (const one of [value].flat()) query.append(name, one);
  const response = await app.request(`/v2${path}?${query}`);
  return { headers: response.headers, body: (await response.json()) as Body };
}

const urls = (body: Body) => body.data.map(({ url }) => String(url).slice(at('').length));

async function related(params: Record<string, string | readonly string[]>): Promise<string[]> {
  return urls((await ask('/related', params)).body);
}

beforeAll(async () => {
  place = await migratedScratch();
  store = await openStore({ engine: place.engine, log: silent, now });
  library = createLibrary({ store, now, log: silent });
  const profiles = createProfiles({ store, now });
  const exclusions = createExclusions({ store: store.exclusions, now });
  const settings = { publicUrl: 'https://similar.example', trustedProxies: 0, widgetDir: '' };
  const deps = { sites: sites as SiteDirectory, library, profiles, exclusions, settings, now };
  app = openRoutes(deps, '/v2/');

  const write = (name: string, patch: PostPatch) =>
    library.write(known[0]!.id, at(name), { patch: { pageType: 'post', ...patch } });
  const ferry = 'The night ferry leaves the old harbour; tickets are sold at the kiosk.';
  await write('ferry', {
    title: 'The night ferry',
    fullContent: ferry,
    section: 'Travel',
    authors: ['Ada Lovelace', 'Grace Hopper'],
    tags: ['islands', 'night'],
    pubDate: Date.UTC(2026, 4, 30, 8),
    imageUrl: 'https://news.example/ferry.jpg',
  });
  await write('kiosk', {
    title: 'The kiosk at the harbour',
    fullContent: 'Ferry tickets and newspapers from a kiosk at the old harbour.',
    section: 'People',
    authors: ['Ada Lovelace'],
    tags: ['islands'],
    pubDate: Date.UTC(2026, 4, 20),
  });
  await write('fares', { title: 'Ferry fares rise', fullContent: ferry, section: 'Travel', tags: ['The "islands"'] });
  await write('bread', { title: 'Sourdough', fullContent: 'A patient baker.', pubDate: Date.UTC(2026, 4, 31) });
  await write('home', {
    pageType: 'index',
    title: 'The old harbour, its night ferry and its kiosk',
    fullContent: ferry,
  });
});

afterAll(async () => {
  await library.close();
  await store.close();
  place.remove();
});

describe('/related', () => {
  test('answers records in the envelope, which anyone may keep for a minute', async () => {
    const { body, headers } = await ask('/related', { url: at('kiosk'), limit: '1' });
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    const link = (page: number) =>
      `https://similar.example/v2/related?apikey=news.example&url=https%3A%2F%2Fnews.example%2Fkiosk&limit=1&page=${page}`;
    expect(body).toEqual({
      data: [
        {
          title: 'The night ferry',
          url: at('ferry'),
          link: at('ferry'),
          author: 'Ada Lovelace, Grace Hopper',
          authors: ['Ada Lovelace', 'Grace Hopper'],
          section: 'Travel',
          pub_date: '2026-05-30T08:00:00Z',
          tags: ['islands', 'night'],
          image_url: 'https://news.example/ferry.jpg',
          thumb_url_medium: 'https://news.example/ferry.jpg',
          source: 'words',
        },
      ],
      meta: { metrics: [], sort: '_score' },
      links: { first: link(1), next: link(2) },
      success: true,
    });
  });

  test('turns pages until there are no more', async () => {
    const second = (await ask('/related', { url: at('kiosk'), limit: '1', page: '2' })).body;
    expect(urls(second)).toEqual(['fares']);
    expect(second.links).toMatchObject({ next: null, prev: expect.stringContaining('page=1') });
    expect(await related({ url: at('kiosk'), limit: '1', page: '3' })).toEqual([]);
  });

  test.each([
    ['the address as the browser shows it', { url: `${at('kiosk')}?utm_source=mail#top` }, ['ferry', 'fares']],
    ['a section', { url: at('kiosk'), section: 'Travel' }, ['ferry', 'fares']],
    ['two sections', { url: at('ferry'), section: ['People', 'Food'] }, ['kiosk']],
    ['a section in another case', { url: at('kiosk'), section: 'travel' }, []],
    ['two authors', { url: at('kiosk'), author: ['Ada Lovelace', 'Grace Hopper'] }, ['ferry']],
    ['a tag', { url: at('kiosk'), tag: 'night' }, ['ferry']],
    ['an excluded section', { url: at('ferry'), exclude: 'section:Travel' }, ['kiosk']],
    ['an excluded author, quoted', { url: at('kiosk'), exclude: 'authors:"Grace Hopper"' }, ['fares']],
    ['two exclusions', { url: at('kiosk'), exclude: ["tags:'night'", 'tags:The "islands"'] }, []],
    ['two exclusions, with blanks', { url: at('kiosk'), exclude: ["tags: 'night' ", ' tags:The "islands"'] }, []],
    ['published since a day of the site', { url: at('kiosk'), pub_date_start: '2026-05-30' }, ['ferry']],
    ['published up to a day', { url: at('ferry'), pub_date_end: '2026-05-20' }, ['fares', 'kiosk']],
    ['published in the last days', { url: at('kiosk'), days: '3' }, ['ferry']],
    ['newest first', { url: at('fares'), sort: 'pub_date' }, ['ferry', 'kiosk']],
    ['empty values, unknown names', { url: at('kiosk'), section: '', page: '', boost: 'views' }, ['ferry', 'fares']],
  ])('%s', async (_, params, expected) => {
    expect((await related({ respect_empty_results: '1', ...params })).sort()).toEqual([...expected].sort());
  });

  test('where nothing is relevant the most recent posts are shown, unless empty results are respected', async () => {
    expect(await related({ url: at('bread') })).toEqual(['ferry', 'kiosk', 'fares']);
    expect(await related({ url: at('bread'), section: 'People' })).toEqual(['kiosk']);
    expect(await related({ url: at('bread'), respect_empty_results: '1' })).toEqual([]);
    expect(await related({})).toEqual(['bread', 'ferry', 'kiosk', 'fares']);
  });

  test('pages that are no posts are never shown, but may be asked from', async () => {
    expect(await related({ url: at('home'), respect_empty_results: '1' })).toContain('ferry');
    expect(await related({ limit: '100' })).not.toContain('home');
  });

  test('excluded URLs are gone at once and back at once', async () => {
    const excluding = createExclusions({ store: store.exclusions, now });
    await excluding.ignore(known[0]!.id, at('ferry'));
    const deps = {
      sites: sites as SiteDirectory,
      library,
      exclusions: excluding,
      profiles: createProfiles({ store, now }),
    };
    const other = openRoutes({ ...deps, now }, '/v2/related');
    const shown = async () => {
      const response = await other.request(`/v2/related?apikey=news.example&url=${at('kiosk')}`);
      return urls((await response.json()) as Body);
    };
    expect(await shown()).toEqual(['fares']);
    await excluding.include(known[0]!.id, at('ferry'));
    expect(await shown()).toContain('ferry');
  });

  test.each([
    ['limit', { limit: '0' }],
    ['limit', { limit: '2001' }],
    ['page', { limit: '2000', page: '2' }],
    ['url', { url: 'ferry' }],
    ['sort', { sort: 'views' }],
    ['exclude', { exclude: 'colour:red' }],
    ['exclude', { exclude: 'tags:' }],
    ['respect_empty_results', { respect_empty_results: 'maybe' }],
    ['pub_date_start', { pub_date_start: 'yesterday' }],
    ['tag', { tag: ['1', '2', '3', '4', '5', '6'] }],
  ])('refuses %s in %j', async (name, params) => {
    const { body, headers } = await ask('/related', params);
    expect(body).toMatchObject({ code: 422, message: `Bad parameters: ${name}`, success: false });
    expect(body).not.toHaveProperty('data');
    expect(headers.get('cache-control')).toBe('private, no-store');
  });
});

describe('profiles', () => {
  test('what was read is listed newest first, resolved to its post, and never recommended', async () => {
    expect((await ask('/profile', { uuid: 'pid=1', url: at('fares') })).body).toEqual({ success: true });
    expect((await ask('/profile', { uuid: 'pid=1', url: `${at('kiosk')}?x=1` })).body).toEqual({ success: true });
    const { body } = await ask('/history', { uuid: 'pid=1' });
    expect(body).toEqual({
      data: { uuid: 'pid=1', urls: expect.arrayContaining([at('kiosk'), at('fares')]) },
      success: true,
    });
    expect((await related({ uuid: 'pid=1', respect_empty_results: '1' }))[0]).toBe('ferry');
    expect(await related({ uuid: 'pid=1', url: at('ferry'), respect_empty_results: '1' })).toEqual([]);
    expect(await related({ uuid: 'pid=2' })).toEqual(await related({}));
  });

  test('a personal list is not cached', async () => {
    const { headers } = await ask('/related', { uuid: 'pid=1', url: at('ferry') });
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  test.each(['OPTOUT', '00000000-0000-0000-0000-000000000000'])(
    'keeps none for readers who have no id of their own: %s',
    async (uuid) => {
      expect((await ask('/profile', { uuid, url: at('fares') })).body).toEqual({ success: true });
      expect((await ask('/history', { uuid })).body).toMatchObject({ data: { uuid, urls: [] } });
    },
  );

  test.each([
    ['/profile', { url: at('ferry') }, 'uuid'],
    ['/profile', { uuid: '1' }, 'url'],
    ['/profile', {}, 'url, uuid'],
    ['/history', {}, 'uuid'],
  ])('%s with %j refuses %s', async (path, params, names) => {
    const { body } = await ask(path, params as Record<string, string>);
    expect(body).toMatchObject({ code: 422, message: `Bad parameters: ${names}` });
  });
});

test('/similar answers as /related and says that it is the old name', async () => {
  const similar = await ask('/similar', { url: at('kiosk') });
  expect(similar.body.data).toEqual((await ask('/related', { url: at('kiosk') })).body.data);
  expect(similar.headers.get('deprecation')).toMatch(/^@\d+$/);
  expect(similar.headers.get('link')).toMatch(
    /^<https:\/\/similar\.example\/v2\/related\?.*>; rel="successor-version"$/,
  );
});

test.each(['/related', '/similar', '/profile', '/history'])(
  '%s is closed for unknown sites and where recommendations are off',
  async (path) => {
    const params = { uuid: '1', url: at('ferry') };
    for (const apikey of ['unknown.example', 'quiet.example']) {
      const response = await app.request(`/v2${path}?${new URLSearchParams({ ...params, apikey })}`);
      expect(await response.json()).toEqual({ code: 403, message: 'Forbidden', success: false });
    }
  },
);
