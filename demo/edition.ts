// The newspaper's articles, dated so that the paper looks alive on the day the demo is first started.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { MINUTE } from '../server/durations.ts';
import { addDays, startOfDay } from '../server/traffic/zone.ts';
import type { SectionName } from './articles/sections.ts';
import { demoFile } from './files.ts';
import { dayOf, isWeekend } from './world/calendar.ts';
import { between, seeded } from './world/random.ts';

/** The zone the paper is made in: its days begin and its readers wake by these clocks. */
export const PAPER_ZONE = 'America/New_York';

export interface Article {
  slug: string;
  title: string;
  excerpt: string;
  section: SectionName;
  authors: string[];
  tags: string[];
  /** Markdown. */
  body: string;
  /** Epoch milliseconds. */
  published: number;
}

/** Articles kept for the days after the first start, so that a paper opened again next week has news. */
const AHEAD = 40;
/** Days before the first start in which the paper comes out at full strength. */
const LIVELY_DAYS = 31;

/**
 * Reads the articles and dates them, newest first, in the order they were written in.
 * @param anchor epoch milliseconds of the demo's first start: the same anchor always gives the same dates.
 */
export function openEdition(anchor: number): Article[] {
  const lines = gunzipSync(readFileSync(demoFile('articles/articles.jsonl.gz')))
    .toString('utf8')
    .trimEnd()
    .split('\n');
  const articles = lines.map((line) => JSON.parse(line) as Omit<Article, 'published'>);
  const dates = publicationDates(articles.length, anchor);
  return articles.map((article, index) => ({ ...article, published: dates[index]! })).reverse();
}

/** So many moments, oldest first: `AHEAD` after the anchor, the others before it, denser in the last month. */
export function publicationDates(count: number, anchor: number): number[] {
  const today = dayOf(anchor, PAPER_ZONE);
  const after: number[] = [];
  for (let day = today; after.length < AHEAD; day = addDays(day, 1)) {
    after.push(...momentsOf(day, true).filter((time) => time > anchor));
  }
  const before: number[] = [];
  for (let age = 0; before.length < count - AHEAD; age++) {
    const moments = momentsOf(addDays(today, -age), age < LIVELY_DAYS).filter((time) => time <= anchor);
    before.push(...moments.reverse());
  }
  return [...before.slice(0, count - AHEAD).reverse(), ...after.slice(0, AHEAD)];
}

/** When articles come out on a day, in order: between six in the morning and seven in the evening. */
function momentsOf(day: string, lively: boolean): number[] {
  const random = seeded('edition', day);
  const midnight = startOfDay(day, PAPER_ZONE);
  const count = lively ? (isWeekend(day) ? between(random, 1, 2) : between(random, 4, 6)) : random() < 0.75 ? 1 : 0;
  const moments = Array.from({ length: count }, () => midnight + between(random, 6 * 60, 19 * 60) * MINUTE);
  return moments.sort((a, b) => a - b);
}
