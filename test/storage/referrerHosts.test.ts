// Referrers that were stored without their host are found by their names, others by the host too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blankRow, type EventRow } from '../../server/ingest/eventRow.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const DAY = 86_400_000;
let room: Newsroom;

const view = (referrerType: EventRow['referrerType'], referrer: string, referrerHost: string): EventRow => ({
  ...blankRow('paper.example' as EventRow['site'], 'https://paper.example/a'),
  time: NOW - 5 * DAY,
  day: '2040-03-15',
  referrerType,
  referrer,
  referrerHost,
});

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  await room.happen(
    view('search', 'google', ''),
    view('other', 'chatgpt', ''),
    view('other', 'site2.com', ''),
    view('search', 'google', 'google.de'),
    view('search', 'google', 'google.com'),
    view('search', 'google', 'google.com'),
    view('ai', 'chatgpt', 'chatgpt.com'),
    view('other', 'link.site2.com', 'link.site2.com'),
  );
});

afterAll(() => room.close());

const referrers = async (type: string, domain?: string) =>
  (await room.ask(`/referrers/${type}`, { period_start: '30d', ...(domain && { domain }) })).data.map(
    ({ name, category, _hits }) => `${name} ${category} ${_hits}`,
  );

test('traffic with a host and without is in one list', async () => {
  expect(await referrers('search')).toEqual(['google search 4']);
  expect(await referrers('other')).toEqual([
    'chatgpt ai 1',
    'chatgpt other 1',
    'link.site2.com other 1',
    'site2.com other 1',
  ]);
});

test.each([
  ['search', 'google', ['google search 4']],
  ['search', 'google.de', ['google search 2']],
  ['search', 'www.google.com', ['google search 3']],
  ['search', 'google.fr', ['google search 1']],
  ['search', 'bing.com', []],
  ['other', 'link.site2.com', ['link.site2.com other 1', 'site2.com other 1']],
  ['other', 'site2.com', ['site2.com other 1']],
  ['other', 'chatgpt', ['chatgpt ai 1', 'chatgpt other 1']],
])('%s of %s: the host where it is known, else the name', async (type, domain, expected) => {
  expect(await referrers(type, domain)).toEqual(expected);
  const posts = (await room.ask(`/referrers/${type}/posts`, { period_start: '30d', domain })).data;
  expect(posts).toEqual([]);
});
