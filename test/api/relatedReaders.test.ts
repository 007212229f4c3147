// What other readers read next, from the events as they are stored to the list of one visitor.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { DIALS } from '../../server/contract/dials.ts';
import { createReadership, type LoadedReadership } from '../../server/readers/readership.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';
import { until } from '../support/until.ts';

const NOW = Date.UTC(2040, 2, 20, 12);
const MINUTE = 60_000;
const at = (name: string) => `https://paper.example/${name}`;
let room: Newsroom;
let readership: LoadedReadership;

const view = (visitor: number, page: string, minute: number) => ({
  url: at(page),
  visitor: String(visitor),
  time: NOW - 60 * MINUTE + minute * MINUTE,
});

beforeEach(async () => {
  room = await openNewsroom({ now: NOW });
  const ferry = 'The night ferry leaves the old harbour; tickets are sold at the kiosk.';
  await room.write(at('ferry'), { title: 'The night ferry', fullContent: ferry });
  await room.write(at('kiosk'), { title: 'The kiosk at the harbour', fullContent: 'Ferry tickets, old harbour.' }, [
    at('kiosk-by-mail'),
  ]);
  await room.write(at('bread'), { title: 'Sourdough', fullContent: 'Slow work.' });
  await room.write(at('home'), { title: 'Home', pageType: 'index' });
  const readers = [1, 2, 3].flatMap((visitor) => [
    view(visitor, 'kiosk-by-mail', visitor),
    view(visitor, 'home', visitor + 1),
    view(visitor, 'bread', visitor + 2),
  ]);
  await room.happen(...readers);
  const { store, library, log, now } = room.deps;
  readership = createReadership({ store, library, log, now });
  await room.deps.profiles.train(room.site.id, 'ann', at('kiosk'));
  await until('readers are loaded', () => readership.of(room.site.id));
});

afterEach(async () => {
  await readership.close();
  await room.close();
});

async function related(params: Record<string, string>, withReaders = true): Promise<string[]> {
  const app = createApp(withReaders ? { ...room.deps, readership } : room.deps);
  const query = new URLSearchParams({ apikey: room.site.id, respect_empty_results: '1', ...params });
  const { data } = (await (await app.request(`/v2/related?${query}`)).json()) as { data: { url: string }[] };
  return data.map(({ url }) => url.slice(at('').length));
}

test('a visitor is shown what several readers of the same went on to, though it has no word in common', async () => {
  expect(await related({ uuid: 'ann' }, false)).toEqual(['ferry']);
  expect(await related({ uuid: 'ann' })).toEqual(['bread', 'ferry']);
});

test('by the page alone, content alone counts', async () => {
  expect(await related({ url: at('kiosk') })).toEqual(await related({ url: at('kiosk') }, false));
});

/** Bodies as they are sent, without the links, which repeat the request. */
async function bodyOf(params: Record<string, string>): Promise<string> {
  const app = createApp({ ...room.deps, readership });
  const query = new URLSearchParams({ apikey: room.site.id, ...params });
  const text = await (await app.request(`/v2/related?${query}`)).text();
  return text.replace(/"links":\{.*?\}/, '"links":{}');
}

test('with the mix at 0 a reader of a page is answered byte for byte as the page alone', async () => {
  await room.deps.profiles.train(room.site.id, 'ann', at('ferry'));
  for (const page of ['kiosk', 'ferry', 'bread', 'unknown']) {
    const alone = await bodyOf({ url: at(page) });
    expect(await bodyOf({ url: at(page), uuid: 'ann', mix: '0' })).toBe(alone);
    expect(await bodyOf({ url: at(page), mix: '0' })).toBe(alone);
  }
});

test('below a page both bring posts: what has its words, and what its readers went on to', async () => {
  expect(await related({ url: at('kiosk') })).toEqual(['ferry']);
  expect((await related({ url: at('kiosk'), uuid: 'bob' })).sort()).toEqual(['bread', 'ferry']);
  expect(await related({ url: at('kiosk'), uuid: 'bob', mix: '1' })).toEqual(['bread', 'ferry']);
  expect(await related({ url: at('kiosk'), mix: '1' })).toEqual(['bread', 'ferry']);
  // A post without a view, and one without a word in common, are there whatever the mix is.
  expect((await related({ url: at('kiosk'), uuid: 'bob', mix: '0.05' })).sort()).toEqual(['bread', 'ferry']);
});

test('where nothing is related to the page, what readers went on to comes before what is new', async () => {
  await room.write(at('newest'), { title: 'Chess', fullContent: 'A drawn endgame.', pubDate: NOW - MINUTE });
  await room.write(at('film'), { title: 'Film', fullContent: '' });
  const after = [11, 12].flatMap((visitor) => [view(visitor, 'film', 61), view(visitor, 'bread', 62)]);
  await room.happen(...after);
  room.setNow(NOW + 5 * MINUTE);
  await readership.refresh();
  const below = { url: at('film'), respect_empty_results: '0' };
  expect((await related(below))[0]).toBe('newest');
  expect((await related({ ...below, uuid: 'bob' }))[0]).toBe('bread');
});

test('a site has dials of its own, which a request may set otherwise', async () => {
  await replaceSite(room.deps.sites, { ...room.site, dials: { mix: 1 } });
  expect(await related({ url: at('kiosk') })).toEqual(['bread', 'ferry']);
  expect(await related({ url: at('kiosk'), mix: '0' })).toEqual(['ferry']);
});

test('a dial is a number from 0 to 1, or says so', async () => {
  for (const { name } of DIALS) {
    for (const value of ['-1', '2', 'much', '0,5', '1e-1']) {
      const { code, errors } = JSON.parse(await bodyOf({ url: at('kiosk'), [name]: value }));
      expect({ code, errors }).toEqual({ code: 422, errors: { [name]: ['Give a number from 0 to 1, such as 0.5.'] } });
    }
    expect(JSON.parse(await bodyOf({ url: at('kiosk'), [name]: '.5' }))).toMatchObject({ success: true });
  }
});

test('what is read is learned while the server runs, and counts for who comes next', async () => {
  await room.deps.profiles.train(room.site.id, 'bob', at('ferry'));
  expect(await related({ uuid: 'bob' })).not.toContain('bread');
  const soon = [7, 8].flatMap((visitor) => [view(visitor, 'ferry', 61), view(visitor, 'bread', 62)]);
  await room.happen(...soon);
  room.setNow(NOW + 5 * MINUTE);
  await readership.refresh();
  expect(await related({ uuid: 'bob' })).toContain('bread');
});
