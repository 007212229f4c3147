// A data directory from before hosts of referrers were stored: its traffic is found by the names it has, new traffic by the host too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blankRow, type EventRow } from '../../server/ingest/eventRow.ts';
import { connect } from '../../server/storage/connect.ts';
import { migrations } from '../../server/storage/migrations/index.ts';
import { migrate } from '../../server/storage/migrations/migrate.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { insertEarlier } from './earlierEvents.ts';
import { scratch, silent } from './scratch.ts';

const STEP = 13;
const NOW = Date.parse('2040-03-20T15:30:00Z');
const DAY = 86_400_000;
const place = scratch();
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
  const engine = await connect(place.engine);
  const before = migrations.filter(({ version }) => version < STEP);
  await migrate(engine, before, { log: silent, now: () => NOW });
  const old = [view('search', 'google', ''), view('other', 'chatgpt', ''), view('other', 'site2.com', '')];
  await insertEarlier(engine, old, ['referrerHost']);
  await migrate(engine, migrations, { log: silent, now: () => NOW });
  // As after a start that was interrupted.
  const step = migrations.find(({ version }) => version === STEP)!;
  for (const statement of step.statements) await engine.command(statement);
  await engine.close();
  room = await openNewsroom({ now: NOW, engine: place.engine });
  await room.happen(
    view('search', 'google', 'google.de'),
    view('search', 'google', 'google.com'),
    view('search', 'google', 'google.com'),
    view('ai', 'chatgpt', 'chatgpt.com'),
    view('other', 'link.site2.com', 'link.site2.com'),
  );
});

afterAll(async () => {
  await room.close();
  place.remove();
});

const referrers = async (type: string, domain?: string) =>
  (await room.ask(`/referrers/${type}`, { period_start: '30d', ...(domain && { domain }) })).data.map(
    ({ name, category, _hits }) => `${name} ${category} ${_hits}`,
  );

test('traffic of before and after is in one list', async () => {
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
