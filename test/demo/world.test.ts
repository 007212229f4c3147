// The seeded readers: the same for the same seed, and believable.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Article, openEdition, PAPER_ZONE } from '../../demo/edition.ts';
import { createPaperExperiment } from '../../demo/experiment.ts';
import { openFilms } from '../../demo/films.ts';
import { dayOf, isWeekend } from '../../demo/world/calendar.ts';
import { eventsBetween } from '../../demo/world/events.ts';
import { findNeighbours } from '../../demo/world/neighbours.ts';
import { createWorld, type Session } from '../../demo/world/sessions.ts';
import { canonicalUrl } from '../../server/posts/canonicalUrl.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { addDays, startOfDay } from '../../server/traffic/zone.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-03-18T15:00:00Z');
const ORIGIN = 'http://localhost:8090';
const site = parseSiteId('lantern-8090')!;

let articles: Article[];
let month: { day: string; sessions: Session[] }[];

beforeAll(() => {
  articles = openEdition(NOW);
  const world = createWorld({ articles, seed: 'test', viewsPerDay: 2500 });
  month = Array.from({ length: 28 }, (_, age) => {
    const day = addDays(dayOf(NOW, PAPER_ZONE), -1 - age);
    return { day, sessions: world.sessionsOf(day) };
  });
});

const views = (sessions: readonly Session[]) => sessions.flatMap((session) => session.views);

describe('the world of the demo', () => {
  it('is the same for the same seed and another for another seed', () => {
    const day = '2026-03-11';
    const again = createWorld({ articles, seed: 'test', viewsPerDay: 2500 }).sessionsOf(day);
    expect(again).toEqual(month.find((one) => one.day === day)!.sessions);
    expect(createWorld({ articles, seed: 'other', viewsPerDay: 2500 }).sessionsOf(day)).not.toEqual(again);
  });

  it('gives a working day about the views that were asked for, and a weekend day clearly fewer', () => {
    const counts = (weekend: boolean) =>
      month.filter(({ day }) => isWeekend(day) === weekend).map(({ sessions }) => views(sessions).length);
    for (const count of counts(false)) expect(count).toBeGreaterThan(1800);
    for (const count of counts(false)) expect(count).toBeLessThan(3200);
    expect(Math.max(...counts(true))).toBeLessThan(Math.min(...counts(false)));
  });

  it('is awake at noon and asleep at three in the morning, on the clocks of the paper', () => {
    const byHour = new Array<number>(24).fill(0);
    for (const { day, sessions } of month) {
      const midnight = startOfDay(day, PAPER_ZONE);
      for (const { views } of sessions) byHour[Math.floor((views[0]!.time - midnight) / 3_600_000)]!++;
    }
    expect(byHour[12]).toBeGreaterThan(8 * byHour[3]!);
  });

  it('reads an article most on its first day, and hardly any more two weeks later', () => {
    const byAge = new Array<number>(20).fill(0);
    const followed = articles.filter(({ published }) => published < NOW - 15 * DAY && published > NOW - 26 * DAY);
    for (const { article, time } of month.flatMap(({ sessions }) => views(sessions))) {
      if (article && followed.includes(article)) byAge[Math.floor((time - article.published) / DAY)]!++;
    }
    expect(byAge[0]).toBeGreaterThan(1.3 * byAge[1]!);
    expect(byAge[0]).toBeGreaterThan(8 * byAge[8]!);
    expect(byAge[13]).toBeGreaterThan(0);
  });

  it('never reads an article before it is published, nor the same one twice in a visit', () => {
    for (const session of month.flatMap(({ sessions }) => sessions)) {
      const read = session.views.flatMap(({ article }) => article ?? []);
      expect(new Set(read).size).toBe(read.length);
      for (const { article, time } of session.views) expect(article?.published ?? 0).toBeLessThanOrEqual(time);
    }
  });

  it('has readers who come back, and regulars who favour their sections', () => {
    const visits = new Map<string, number>();
    let favoured = 0;
    let followed = 0;
    for (const { reader, views } of month.flatMap(({ sessions }) => sessions)) {
      visits.set(reader.visitor, (visits.get(reader.visitor) ?? 0) + 1);
      if (reader.favourites.length === 0) continue;
      for (const { article } of views.slice(1)) {
        if (!article) continue;
        followed++;
        if (reader.favourites.includes(article.section)) favoured++;
      }
    }
    expect([...visits.values()].filter((count) => count >= 5).length).toBeGreaterThan(300);
    expect(favoured / followed).toBeGreaterThan(0.38);
  });

  it('often opens a neighbour next, so that what is read next can be learnt', () => {
    const neighbours = findNeighbours(articles);
    let near = 0;
    let steps = 0;
    for (const { views } of month.flatMap(({ sessions }) => sessions)) {
      for (let index = 1; index < views.length; index++) {
        const [from, to] = [views[index - 1]!.article, views[index]!.article];
        if (!from || !to) continue;
        steps++;
        if (neighbours.get(from.slug)!.includes(to)) near++;
      }
    }
    expect(near / steps).toBeGreaterThan(0.4);
  });
});

describe('the events of the world', () => {
  const world = () => createWorld({ articles, seed: 'test', viewsPerDay: 300 });
  const between = (from: number, to: number) =>
    [...eventsBetween(world(), { site, origin: ORIGIN, from, to })].flatMap(({ rows }) => rows);

  it('are the same whether loaded at once or in two parts', () => {
    const middle = NOW - 1.3 * DAY;
    const parts = [...between(NOW - 3 * DAY, middle), ...between(middle, NOW)];
    expect(parts).toEqual(between(NOW - 3 * DAY, NOW));
  });

  it('lie in the time asked for, in order, each on the day its clock says', () => {
    const rows = between(NOW - 3 * DAY, NOW);
    expect(rows.length).toBeGreaterThan(500);
    for (const [index, row] of rows.entries()) {
      expect(row.time).toBeGreaterThan(index === 0 ? NOW - 3 * DAY : rows[index - 1]!.time - 1);
      expect(row.day).toBe(dayOf(row.time, PAPER_ZONE));
    }
    expect(rows.at(-1)!.time).toBeLessThanOrEqual(NOW);
  });

  it('carry addresses that are canonical already, and name the page before', () => {
    for (const row of between(NOW - DAY, NOW)) {
      expect(canonicalUrl(row.url)).toBe(row.url);
      if (row.referrerType === 'internal') expect(row.referrerUrl).toMatch(/^http:\/\/localhost:8090\//);
      else expect(row.referrerUrl).toBe('');
    }
  });

  it('count search engines, networks and other pages each as what they are', () => {
    const types = new Map<string, Set<string>>();
    for (const { referrerType, referrer } of between(NOW - 8 * DAY, NOW)) {
      types.set(referrerType, (types.get(referrerType) ?? new Set()).add(referrer));
    }
    expect(types.get('search')).toContain('google');
    expect(types.get('social')).toContain('linkedin');
    expect(types.get('other')).toContain('govtech.com');
    expect([...types.get('direct')!]).toEqual(['']);
  });
});

describe('the lists below an article', () => {
  const rows = () => {
    const world = createWorld({ articles, seed: 'test', viewsPerDay: 1000 });
    return [...eventsBetween(world, { site, origin: ORIGIN, from: NOW - 4 * DAY, to: NOW })].flatMap((day) => day.rows);
  };

  it('are clicked the more the higher an item stands, and only where they were seen', () => {
    const clicks = new Map<number, number>();
    let seen = 0;
    const all = rows();
    for (const { list, items } of all.flatMap(({ lists }) => lists ?? [])) {
      for (const item of items) {
        if (item.seen) seen++;
        if (item.clicks && list === 'related') clicks.set(item.position, (clicks.get(item.position) ?? 0) + 1);
      }
    }
    expect(clicks.get(1)!).toBeGreaterThan(clicks.get(3)! * 1.3);
    expect(clicks.get(2)!).toBeGreaterThan(clicks.get(6)!);
    const clicked = all.flatMap(({ lists }) => lists ?? []).filter(({ items }) => items[0]!.clicks > 0).length;
    expect(clicked / seen).toBeGreaterThan(0.01);
    expect(clicked / seen).toBeLessThan(0.2);
  });

  it('are drawn in the variants of an experiment while it runs, of which one is clicked more', () => {
    const world = createWorld({ articles, seed: 'test', viewsPerDay: 1500 });
    const experiment = { ...createPaperExperiment(NOW), startedAt: NOW - 4 * DAY };
    const days = [...eventsBetween(world, { site, origin: ORIGIN, experiment, from: NOW - 6 * DAY, to: NOW })];
    const variants = new Map<string, { readers: Set<string>; shown: number; clicks: number }>();
    for (const { time, visitor, lists = [] } of days.flatMap(({ rows }) => rows))
      for (const { slot, experiment: name, variant, shown, items } of lists) {
        expect(name).toBe(slot === 'read-next' && time >= experiment.startedAt ? experiment.name : '');
        if (name === '') continue;
        const of = variants.get(variant) ?? { readers: new Set(), shown: 0, clicks: 0 };
        variants.set(variant, of);
        of.readers.add(visitor);
        if (shown) of.shown++;
        else of.clicks += items[0]!.clicks;
      }
    const [control, subject] = experiment.variants.map(({ name }) => variants.get(name)!);
    const readers = control!.readers.size + subject!.readers.size;
    expect([...control!.readers].filter((reader) => subject!.readers.has(reader))).toEqual([]);
    expect(control!.readers.size / readers).toBeCloseTo(0.5, 1);
    expect(subject!.clicks / subject!.shown).toBeGreaterThan(control!.clicks / control!.shown);
  });

  it('lead to the page that their readers open next', () => {
    const all = rows();
    const clicks = all.filter(({ lists }) => lists?.some(({ items }) => items[0]!.clicks > 0));
    let followed = 0;
    for (const click of clicks) {
      const after = all.find(
        ({ action, visitor, time }) => action === 'pageview' && visitor === click.visitor && time > click.time,
      );
      if (!after) continue;
      followed++;
      expect(after.url).toBe(click.lists![0]!.items[0]!.post);
    }
    // A reader whose click is at the end of what is looked at opens the page later.
    expect(followed / clicks.length).toBeGreaterThan(0.9);
  });
});

describe('the calendar', () => {
  it('finds the first moment of a day, summer time changes included', () => {
    for (const day of ['2026-03-08', '2026-03-09', '2026-11-01', '2026-11-02', '2026-06-30']) {
      const start = startOfDay(day, PAPER_ZONE);
      expect(dayOf(start, PAPER_ZONE)).toBe(day);
      expect(dayOf(start - 1, PAPER_ZONE)).toBe(addDays(day, -1));
    }
    expect(startOfDay('2026-03-09', PAPER_ZONE) - startOfDay('2026-03-08', PAPER_ZONE)).toBe(23 * 3_600_000);
  });
});

it('has films that are watched on their own pages, a new one more than an old one, the same for the same seed', () => {
  const films = openFilms(NOW);
  const world = createWorld({ articles, seed: 'test', viewsPerDay: 20 });
  const settings = { site, origin: ORIGIN, films: { films, seed: 'test', visitsPerDay: 200 } };
  const rowsOf = () =>
    [...eventsBetween(world, { ...settings, from: NOW - 3 * DAY, to: NOW })].flatMap(({ rows }) => rows);
  const watching = rowsOf().filter(({ video }) => video !== '');
  expect(watching).toEqual(rowsOf().filter(({ video }) => video !== ''));
  const starts = (film: (typeof films)[number]) =>
    watching.filter(({ action, video }) => action === 'videostart' && video === `${ORIGIN}/watch/${film.slug}`).length;
  const newest = films.find(({ age }) => age === 3)!;
  for (const film of films) {
    expect(starts(film)).toBeGreaterThan(10);
    if (film !== newest) expect(starts(newest)).toBeGreaterThan(starts(film));
  }
  for (const { action, seconds, url, video } of watching) {
    expect(url).toBe(video);
    if (action === 'vheartbeat') expect(seconds).toBeGreaterThan(0);
  }
});
