// Kinds of sources now beside what is usual for them: from the roll-up by quarter of an hour, and from events where
// posts of a section or a hidden page do not let it answer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NowRecord, NowSource } from '../../server/contract/now.ts';
import { DAY, MINUTE } from '../../server/durations.ts';
import type { EventRow } from '../../server/ingest/eventRow.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { page } from '../support/readPaper.ts';

const NOW = Date.parse('2040-11-13T10:22:00Z');
/** Views of each five minutes from search engines, by week; as many come directly to the front page. */
const WEEKS = [3, 8, 1, 6, 2, 7, 4, 5];
/** The middle half is 2.75 to 6.25: views are whole. */
const OF_WEEKS = { median: 4.5, low: 2, high: 7 };
const SEARCH = { referrerType: 'search', referrer: 'google' } as const;
const SOCIAL = { referrerType: 'social', referrer: 'facebook' } as const;

/** A site with readers now and in so many weeks before. */
async function openWeeks(weeks: number): Promise<Newsroom> {
  const of = await openNewsroom({ now: NOW });
  await of.write(page('a'), { title: 'A', section: 'World', pubDate: NOW - 90 * DAY });
  await of.write(page('b'), { title: 'B', section: 'Sport', pubDate: NOW - 90 * DAY });
  await of.write(page(''), { title: 'Home', pageType: 'index' });
  await of.happen(
    ...WEEKS.slice(0, weeks).flatMap((views, week) => weekOf(views, NOW - (week + 1) * 7 * DAY)),
    ...Array.from({ length: 9 }, (_, at) => ({ url: page('a'), time: NOW - MINUTE - at, ...SEARCH })),
    { url: page('b'), time: NOW - MINUTE, ...SOCIAL },
    // Six minutes ago is not now.
    { url: page('b'), time: NOW - 6 * MINUTE, ...SOCIAL },
  );
  return of;
}

/** Evenly over an hour before and after a moment. */
const weekOf = (views: number, moment: number): Partial<EventRow>[] =>
  Array.from({ length: 24 * views }, (_, at) => {
    const time = moment - 60 * MINUTE + Math.floor((at * 120 * MINUTE) / (24 * views));
    return [
      { url: page('a'), time, ...SEARCH },
      { url: page(''), time },
    ];
  }).flat();

async function sourcesOf(
  room: Newsroom,
  params: Record<string, string> = {},
): Promise<Record<string, Omit<NowSource, 'category'>>> {
  const { data } = await room.ask('/analytics/now', params);
  const { sources } = data[0] as unknown as NowRecord;
  return Object.fromEntries(sources.map(({ category, ...of }) => [category, of]));
}

const none = { median: 0, low: 0, high: 0 };

describe('of a site with eight weeks', () => {
  let room: Newsroom;
  beforeAll(async () => {
    room = await openWeeks(WEEKS.length);
  });
  afterAll(() => room.close());

  test('each kind has its views and what is usual for it, of all pages', async () => {
    expect(await sourcesOf(room)).toEqual({
      search: { views: 9, usual: OF_WEEKS, place: 'above' },
      social: { views: 1, usual: none, place: 'above' },
      aggregator: { views: 0, usual: none, place: 'within' },
      ai: { views: 0, usual: none, place: 'within' },
      other: { views: 0, usual: none, place: 'within' },
      internal: { views: 0, usual: none, place: 'within' },
      direct: { views: 0, usual: OF_WEEKS, place: 'below' },
    });
  });

  test('the views of the kinds are those of the list of referrers for the same minutes', async () => {
    const [now] = (await room.ask('/analytics/now', {})).data as unknown as NowRecord[];
    const period = { period_start: now!.period_start, period_end: now!.period_end };
    const { data } = await room.ask('/analytics/referrers', period);
    const listed = Object.fromEntries(data.map(({ category, metrics }) => [category, metrics.views]));
    expect(listed).toEqual({ search: 9, social: 1 });
  });

  test('with a section, of its posts alone', async () => {
    const ofWorld = await sourcesOf(room, { section: 'World' });
    expect(ofWorld.search).toEqual({ views: 9, usual: OF_WEEKS, place: 'above' });
    expect(ofWorld.direct).toEqual({ views: 0, usual: none, place: 'within' });
  });
});

test('without a hidden page, now and in earlier weeks', async () => {
  const room = await openWeeks(WEEKS.length);
  try {
    await room.deps.exclusions.ignore(room.site.id, page(''));
    const { search, direct } = await sourcesOf(room);
    expect(search).toEqual({ views: 9, usual: OF_WEEKS, place: 'above' });
    expect(direct).toEqual({ views: 0, usual: none, place: 'within' });
  } finally {
    await room.close();
  }
});

test('nothing is usual after two weeks', async () => {
  const room = await openWeeks(2);
  try {
    expect((await sourcesOf(room)).search).toEqual({ views: 9, usual: null, place: null });
  } finally {
    await room.close();
  }
});
