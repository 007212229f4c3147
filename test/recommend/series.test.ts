// Series, yearly reviews and templates: the next part comes first, and no series fills a list.
import { describe, expect, test } from 'vitest';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';
import { TitleFrames } from '../../server/textindex/titleFrames.ts';
import { ask, at, DAY, indexOf, learned, NOW, post } from './corpus.ts';

const several = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
/** So many that no word of the others is common. */
const strangers = several(900, (n) => post(`x${n}`, { title: `Quarrel${n}`, fullContent: `quarrel${n} abroad${n}` }));
const HARBOUR = 'The night ferry leaves the old harbour; tickets are sold at the kiosk on the quay.';
/** Posts about the harbour, each with words of its own, further from it than those of a series. */
const others = several(12, (n) =>
  post(`other${n}`, {
    title: `Matter${n}`,
    fullContent: `The ferry and the old harbour with its kiosk: what${n} else${n} ${`apart${n} `.repeat(4)}`,
  }),
);
const list = (posts: readonly IndexedPost[], changes: object) =>
  ask(indexOf([...posts, ...others, ...strangers]), changes);
const named = (found: readonly string[], name: string) => found.filter((one) => one.startsWith(name)).length;

test('below a part of a series stands the next, then the one before, and other subjects behind four of them', () => {
  const parts = several(9, (n) =>
    post(`part${n + 1}`, {
      title: `The harbour chronicle, part ${n + 1}: what we saw on day${n}`,
      fullContent: `${HARBOUR} about${n} thing${n}`,
      pubDate: NOW - (10 - n) * DAY,
    }),
  );
  const found = list(parts, { url: at('part4') });
  expect(found.slice(0, 2)).toEqual(['part5', 'part3']);
  expect(named(found, 'part')).toBe(4);
  expect(found).toHaveLength(10);
  expect(list(parts, { url: at('part1') })[0]).toBe('part2');
});

test.each<[what: string, title: (n: number) => string]>([
  ['yearly reviews', (n) => `The harbour in ${2010 + n}: our review of the year`],
  ['live versions', (n) => `Live: the ferry strike at ${n + 9}.30`],
  ['weather reports', (n) => `Weather in ${['Riga', 'Oslo', 'New York'][n % 3]}, ${n + 1} May 2026`],
  ['results', (n) => `Result: Leeds${n} ${n} York${n} 1`],
  ['horoscopes', (n) => `Horoscope for ${['Leo', 'Aries', 'Taurus'][n % 3]}, week ${n}`],
  ['a column with a name', (n) => `The Harbour Briefing: subject${n} thing${n}`],
])('%s do not push out the rest: four of ten at most', (_, title) => {
  const series = several(20, (n) =>
    post(`series${n}`, {
      title: title(n),
      fullContent: `${HARBOUR} Today${n} it is said${n}.`,
      pubDate: NOW - n * DAY,
    }),
  );
  const page = post('page', { title: 'Below the lighthouse', fullContent: HARBOUR });
  for (const url of [at('page'), at('series3')]) {
    const found = list([page, ...series], { url });
    expect(named(found, 'series')).toBe(4);
    expect(named(found, 'other')).toBeGreaterThanOrEqual(5);
  }
});

test('where nothing else is related, parts of a series fill a list, and reports made of a template do not', () => {
  const listOf = (title: (n: number) => string) => {
    const series = several(12, (n) =>
      post(`series${n}`, {
        title: title(n),
        fullContent: `${HARBOUR} Today${n} it is said${n}.`,
        pubDate: NOW - n * DAY,
      }),
    );
    return ask(indexOf([...series, ...strangers]), { url: at('series3'), limit: 10 });
  };
  expect(listOf((n) => `Weather in Riga, ${n + 1} May 2026`)).toHaveLength(4);
  expect(listOf((n) => `The harbour chronicle, part ${n + 1}`)).toHaveLength(10);
});

test('a series that most posts belong to is the subject of the site: it is not limited', () => {
  /** Each shares two of its parts with twelve others. */
  const partsFrom = (n: number) => several(8, (more) => `valve${n + more}`).join(' ');
  const notes = several(30, (n) =>
    post(`note${n}`, { title: `Engine 1.${n}.0`, fullContent: partsFrom(n), section: 'Notes' }),
  );
  const asked = { url: at('note15'), limit: 40 };
  const gap = post('gap', {
    title: 'Pistons',
    fullContent: 'valve16 valve17 valve18 crank piston rod',
  });
  expect(ask(indexOf([...notes, gap]), asked).indexOf('gap')).toBeGreaterThan(4);
  expect(list([...notes, gap], asked).indexOf('gap')).toBe(4);
});

test('with the mix at 1 readers decide alone: neither series nor dates change what they say', () => {
  const series = several(8, (n) =>
    post(`series${n}`, {
      title: `Weather for ${n + 1} May`,
      fullContent: `${HARBOUR} Today${n} it is said${n}.`,
      pubDate: NOW - (n + 1) * 30 * DAY,
    }),
  );
  const page = post('page', { title: 'Below the lighthouse', fullContent: HARBOUR });
  // The later in the series, the more readers went on to it.
  const sessions = series.flatMap((_, n) => several(n + 2, () => `page>series${n}`));
  const asked = { url: at('page'), readers: learned(...sessions), limit: 8 };
  const found = list([page, ...series], { ...asked, dials: { mix: 1 } });
  expect(found).toEqual(several(8, (n) => `series${7 - n}`));
  expect(named(list([page, ...series], asked), 'series')).toBe(4);
});

test('a filter brings no post of a series forward', () => {
  const series = several(20, (n) =>
    post(`series${n}`, {
      title: `Weather for ${n + 1} May`,
      fullContent: `${HARBOUR} Today${n} it is said${n}.`,
      tags: n % 2 ? ['odd'] : [],
      pubDate: NOW - n * DAY,
    }),
  );
  const asked = { url: at('series5'), limit: 40 };
  const odd = new Set(series.filter(({ tags }) => tags.length > 0).map(({ url }) => url));
  const all = list(series, asked);
  expect(list(series, { ...asked, filters: { tags: ['odd'] } })).toEqual(all.filter((name) => odd.has(at(name))));
  const excluded = new Set([at(all[0]!), at(all[2]!)]);
  expect(list(series, { ...asked, excluded })).toEqual(all.filter((name) => !excluded.has(at(name))));
});

describe('titles of one series', () => {
  const areOne = (a: string, b: string) => {
    const frames = new TitleFrames();
    for (const [number, title] of [a, b].entries()) frames.set(number, title);
    return frames.areAlike(0, 1);
  };

  test.each([
    ['Announcing Rust 1.42.0', 'Announcing Rust 1.58.1'],
    ['1.77.0 pre-release testing', '1.68.2 pre-release testing'],
    ['Project goals update — March 2026', 'Project goals update — December 2025'],
    ['Wetter in Köln am Donnerstag, 3. Mai', 'Wetter in Köln am Freitag, 4. Mai'],
    ['Horoscope du 3 mai 2026 : Lion', 'Horoscope du 14 juin 2026 : Balance'],
    ['El tiempo para el lunes 3 de mayo', 'El tiempo para el martes 11 de agosto'],
    ['連載:港の記憶 第3回', '連載:港の記憶 第12回'],
  ])('%s / %s', (a, b) => expect(areOne(a, b)).toBe(true));

  test.each([
    ['Focus on accessibility', 'Focus on the user'],
    ['When to use commercial software', 'What we learned in 2015'],
    ['Announcing Rust 1.42.0', 'Security advisory for Cargo'],
    ['', ''],
  ])('not %s / %s', (a, b) => expect(areOne(a, b)).toBe(false));
});

describe('notes of the same forty words that differ by a version', () => {
  const notes = several(6, (n) =>
    post(`note${n}`, {
      title: `${['Amber', 'Birch', 'Cedar', 'Damson', 'Elm', 'Fir'][n]} ferry software`,
      fullContent:
        'The ferry software is ready to be tested on the harbour kiosk. You can try it out on board by setting the ' +
        `channel to quay, and then update to release${n} version${n}. ` +
        'Tell us on the forum what broke and what you liked, and how long the morning departure took this time.',
    }),
  );

  const asked = post('asked', { fullContent: `${HARBOUR} The software of the ferry, tested on board.` });

  test('are one post to a list', () => {
    const found = list([asked, ...notes], { url: at('asked') });
    expect([found.length, named(found, 'note')]).toEqual([10, 1]);
  });

  test('fill a list where there is nothing else', () => {
    const found = ask(indexOf([...notes, ...strangers]), { url: at('note2') });
    expect(named(found, 'note')).toBe(5);
  });

  test('are there once each, whatever copies of them there are', () => {
    const copies = notes.map((note) => ({ ...note, url: `${note.url}-copy` }));
    const found = ask(indexOf([...notes, ...copies, ...strangers]), { url: at('note2') });
    expect(found.map((name) => name.replace('-copy', '')).sort()).toEqual([
      'note0',
      'note1',
      'note3',
      'note4',
      'note5',
    ]);
  });

  test('stay where they are in a list by date', () => {
    const dated = notes.map((note, n) => ({ ...note, pubDate: Date.UTC(2026, 0, 1 + n) }));
    const found = ask(indexOf([...dated, ...strangers]), { url: at('note2'), sort: 'pub_date' });
    expect(found).toEqual([5, 4, 3, 1, 0].map((n) => `note${n}`));
  });
});
