// What the morning page says of referrers that are among the first of some days only, and in which words.
import { expect, test } from 'vitest';
import { toMorningHtml } from '../../server/mail/compose.ts';
import { toMorningText } from '../../server/mail/morningText.ts';
import { type MorningPage, readMorningPage } from '../../server/rankings/morningPage.ts';
import { openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T07:00:00Z');
const DAY = 86_400_000;
const YESTERDAY = NOW - DAY;
const WEEKS = [1, 2, 3, 4].map((week) => YESTERDAY - week * 7 * DAY);
const url = 'https://paper.example/a';

const from = (referrer: string, time: number, count: number) =>
  Array.from({ length: count }, () => ({
    ...{ url, time, referrer },
    referrerHost: referrer,
    referrerType: 'other' as const,
  }));

/** Two views from each of sixty sites. */
const crowd = (time: number) => Array.from({ length: 60 }, (_, each) => from(`site-${each}.example`, time, 2)).flat();

test('a referrer that few views of a day came from is beside these, and neither new nor gone', async () => {
  const room = await openNewsroom({ now: NOW });
  try {
    await room.write(url, { title: 'A' });
    await room.happen(
      ...[...crowd(YESTERDAY), ...from('risen.example', YESTERDAY, 9), ...from('fallen.example', YESTERDAY, 1)],
      ...WEEKS.flatMap((time) => [
        ...crowd(time),
        ...from('risen.example', time, 1),
        ...from('fallen.example', time, 30),
      ]),
    );
    const { sources, changes } = await readMorningPage(room.deps, room.site, NOW);
    expect(sources[0]).toEqual({ name: 'risen.example', views: 9, usual: 1 });
    expect(changes.slice(0, 2)).toEqual([
      { of: 'referrer', name: 'fallen.example', views: 1, usual: 30 },
      { of: 'referrer', name: 'risen.example', views: 9, usual: 1 },
    ]);
  } finally {
    await room.close();
  }
});

test('a change is one from the last four weeks, and a referrer that brought no view is none of those that did', async () => {
  const room = await openNewsroom({ now: NOW });
  try {
    await room.write(url, { title: 'A' });
    const older = WEEKS.map((time) => time - 4 * 7 * DAY);
    await room.happen(
      ...[YESTERDAY, ...WEEKS, ...older].flatMap((time) => from('steady.example', time, 5)),
      ...WEEKS.flatMap((time) => from('gone.example', time, 4)),
      ...older.flatMap((time) => from('former.example', time, 40)),
    );
    const { sources, changes, weeks } = await readMorningPage(room.deps, room.site, NOW);
    expect(weeks).toBe(8);
    expect(sources).toEqual([{ name: 'steady.example', views: 5, usual: 5 }]);
    expect(changes).toEqual([{ of: 'referrer', name: 'gone.example', views: 0, usual: 4 }]);
  } finally {
    await room.close();
  }
});

test('referrers are of all pages, which their heading says: they may have brought more views than posts had', async () => {
  const room = await openNewsroom({ now: NOW });
  try {
    await room.write(url, { title: 'A' });
    const front = { url: 'https://paper.example/', referrerType: 'search' as const, referrer: 'google' };
    const views = Array.from({ length: 3 }, () => ({ ...front, referrerHost: 'google', time: YESTERDAY }));
    await room.happen({ url, time: YESTERDAY }, ...views);
    const page = await readMorningPage(room.deps, room.site, NOW);
    expect([page.figures[0]!.value, page.sources[0]]).toEqual([1, { name: 'google', views: 3, usual: null }]);
    const heading = 'Where readers came from (all pages, not posts alone)';
    expect(toMorningText(page)).toContain(`\n${heading}\n  google: 3 views\n`);
    expect(toMorningHtml(page)).toContain(heading);
  } finally {
    await room.close();
  }
});

test('the site itself is no source, however many of its pages led to others, and no change', async () => {
  const room = await openNewsroom({ now: NOW });
  try {
    await room.write(url, { title: 'A' });
    const within = { url, referrer: url, referrerHost: 'paper.example', referrerType: 'internal' as const };
    const ownPages = (time: number, count: number) => Array.from({ length: count }, () => ({ ...within, time }));
    await room.happen(
      ...[...ownPages(YESTERDAY, 40), ...from('risen.example', YESTERDAY, 3)],
      ...WEEKS.flatMap((time) => [...ownPages(time, 4), ...from('risen.example', time, 1)]),
    );
    const { sources, changes } = await readMorningPage(room.deps, room.site, NOW);
    expect(sources).toEqual([{ name: 'risen.example', views: 3, usual: 1 }]);
    expect(changes).toEqual([{ of: 'referrer', name: 'risen.example', views: 3, usual: 1 }]);
  } finally {
    await room.close();
  }
});

const QUIET: MorningPage = {
  ...{ apikey: 'paper.example', day: '2040-03-19', weeks: 0 },
  figures: [{ name: 'views', value: 1, usual: null, weeks: 0 }],
  posts: [
    { url: 'https://paper.example/b', title: 'Donau\u00addampf\u00adschiff', views: 1 },
    { url: 'https://paper.example/c', title: '\u200b', views: 1 },
  ],
  sources: [{ name: 'google', views: 1, usual: null }],
  lists: [{ name: 'related', seen: 1, clicks: 1, views_caused: 1 }],
  changes: [{ of: 'section', name: 'News', views: 1, usual: 2 }],
};

test('a page of a quiet day is in the singular, and its words are whole', () => {
  const lines = toMorningText(QUIET).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '  1  Donaudampfschiff',
      '  1  https://paper.example/c',
      '  google: 1 view',
      '  related: 1 view, 1 click on 1 item seen',
      '  section News: 1 view, usual 2 (-50%)',
    ]),
  );
  const html = toMorningHtml(QUIET);
  expect(html).toContain('1 click on 1 item seen');
  expect(html).toContain('>1 view</div>');
});

test('visitors are beside the weeks whose events are kept, and three weeks say what is more than usual', async () => {
  const room = await openNewsroom({ now: NOW });
  try {
    await room.write(url, { title: 'A' });
    const readers = (time: number, count: number) =>
      Array.from({ length: count }, (_, reader) => ({ url, time, visitor: String(reader + 1) }));
    await room.happen(...[YESTERDAY, ...WEEKS].flatMap((time) => readers(time, 10)));
    await room.deps.store.retention.removeBefore([{ site: room.site.id, day: '2040-03-01' }]);
    const page = await readMorningPage(room.deps, room.site, NOW);
    const same = { low: 10, median: 10, high: 10 };
    expect(page.figures.slice(0, 2)).toEqual([
      { name: 'views', value: 10, usual: same, weeks: 4 },
      { name: 'visitors', value: 10, usual: same, weeks: 2 },
    ]);
    const [views, visitors] = toMorningText(page).split('\n').slice(2);
    expect(views).toBe('Views: 10 (0%; usual 10, middle half 10 to 10)');
    expect(visitors).toBe('Visitors: 10 (0%; usual 10, middle half 10 to 10)');
    const html = toMorningHtml({ ...page, figures: page.figures.map((figure) => ({ ...figure, value: 11 })) });
    expect(html.match(/\+10%(?!\))[^<]*/g)?.slice(0, 2)).toEqual(['+10%, more than usual', '+10%']);
  } finally {
    await room.close();
  }
});

test('titles and names have the direction of their letters in a mail', () => {
  const html = toMorningHtml({
    ...QUIET,
    posts: [{ url: 'https://paper.example/d', title: 'שלום, עולם!', views: 2 }],
    changes: [{ of: 'section', name: 'חדשות (1)', views: 1, usual: 2 }],
  });
  expect(html).toMatch(/<a href="https:\/\/paper\.example\/d" dir="auto"[^>]*>שלום, עולם!<\/a>/);
  expect(html).toContain('section <span dir="auto">חדשות (1)</span>');
});
