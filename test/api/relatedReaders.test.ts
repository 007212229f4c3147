// What other readers read next, from the events as they are stored to the list of one visitor.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { createReadership, type LoadedReadership } from '../../server/readers/readership.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
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

test('what is read is learned while the server runs, and counts for who comes next', async () => {
  await room.deps.profiles.train(room.site.id, 'bob', at('ferry'));
  expect(await related({ uuid: 'bob' })).not.toContain('bread');
  const soon = [7, 8].flatMap((visitor) => [view(visitor, 'ferry', 61), view(visitor, 'bread', 62)]);
  await room.happen(...soon);
  room.setNow(NOW + 5 * MINUTE);
  await readership.refresh();
  expect(await related({ uuid: 'bob' })).toContain('bread');
});
