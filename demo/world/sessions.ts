// The visits of one day: who comes, what they open, how long they stay with it, what they open next.
import { typeOfCategory } from '../../server/contract/referrers.ts';
import { addDays, startOfDay } from '../../server/traffic/zone.ts';
import { type Article, PAPER_ZONE } from '../edition.ts';
import { type Arrival, drawArrival, regularArrival } from './arrival.ts';
import { isWeekend } from './calendar.ts';
import { createInterest } from './interest.ts';
import { findNeighbours } from './neighbours.ts';
import { gaussian, type Random, seeded } from './random.ts';
import { createRegulars, drawPasserBy, type Reader, type Regular } from './readers.ts';
import { drawMoment, WEEKEND_SHARE } from './rhythm.ts';

export interface View {
  /** undefined is the front page. */
  article: Article | undefined;
  /** Epoch milliseconds. */
  time: number;
  /** Engaged seconds; 0 for who leaves at once. */
  seconds: number;
}

export interface Session {
  reader: Reader;
  arrival: Arrival;
  /** In order of time; every one but the first was reached by a link on the one before. */
  views: View[];
}

export interface WorldSettings {
  /** Newest first. */
  articles: readonly Article[];
  /** Another seed, another month. */
  seed: string;
  /** Page views of a working day, about. Default 7,000. */
  viewsPerDay?: number;
}

export interface World {
  /** All visits that begin on a day of the paper's zone, in order of time. The same day is always the same. */
  sessionsOf(day: string): Session[];
  /** What the lists below an article show at a moment (epoch milliseconds), best first. */
  listsOf(article: Article, time: number): { related: readonly Article[]; top: readonly Article[] };
}

const DEFAULT_VIEWS = 7000;
/** Regulars for each view of a working day, and visits of passers-by: together they make about one. */
const REGULARS = 0.42;
const PASSERS_BY = 0.4;
/** Posts of the lists below an article. */
const RELATED_POSTS = 6;
const TOP_POSTS = 7;
const WORDS_A_SECOND = 3.8;
/** How likely a passer-by opens one more page. */
const GOES_ON = { search: 0.3, social: 0.2, other: 0.26, direct: 0.42, internal: 0 };

export function createWorld({ articles, seed, viewsPerDay = DEFAULT_VIEWS }: WorldSettings): World {
  const interest = createInterest(articles, seed);
  const neighbours = findNeighbours(articles);
  const regulars = createRegulars(Math.round(viewsPerDay * REGULARS), seed);
  const passersBy = viewsPerDay * PASSERS_BY;

  function sessionsOf(day: string): Session[] {
    const random = seeded(seed, 'day', day);
    const weekend = isWeekend(day);
    const midnight = startOfDay(day, PAPER_ZONE);
    const length = startOfDay(addDays(day, 1), PAPER_ZONE) - midnight;
    const share = weekend ? WEEKEND_SHARE : 1;
    const mood = 1 + gaussian(random) * 0.06;
    const count = Math.round(passersBy * share * mood);
    const sessions: Session[] = [];
    for (let index = 0; index < count; index++) {
      const reader = drawPasserBy(random, { seed, day, index, pool: Math.ceil(passersBy * 6) });
      sessions.push(
        visit(random, { reader, arrival: drawArrival(random), start: midnight + drawMoment(random, { weekend }) }),
      );
    }
    for (const regular of regulars) {
      if (random() >= regular.loyalty * share) continue;
      const start = midnight + clamp(regular.hour + gaussian(random) * 2_400_000, length - 1);
      sessions.push(visit(random, { reader: regular, arrival: regularArrival(regular.newsletter), start }));
    }
    return sessions.filter((session) => session.views.length > 0).sort((a, b) => a.views[0]!.time - b.views[0]!.time);
  }

  function visit(
    random: Random,
    { reader, arrival, start }: { reader: Reader | Regular; arrival: Arrival; start: number },
  ): Session {
    const views: View[] = [];
    const seen = new Set<Article>();
    const goesOn = reader.favourites.length > 0 ? 0.66 : GOES_ON[typeOfCategory(arrival.from.category)];
    let time = start;
    let article = arrival.home ? undefined : interest.at(start, arrival.appetite).draw(random);
    if (!arrival.home && !article) return { reader, arrival, views };
    do {
      const seconds = article ? readingTime(random, article) : Math.round(3 + random() * 14);
      views.push({ article, time, seconds });
      if (article) seen.add(article);
      time += seconds * 1000 + Math.floor(2000 + random() * 25_000);
      const next = nextArticle(random, { from: article, reader, time });
      if (!next || seen.has(next)) break;
      article = next;
    } while (views.length < 12 && random() < (views.at(-1)!.article ? goesOn : 0.85));
    return { reader, arrival, views };
  }

  /** A link on the page: the next of the series or subject, the most read, or the newest of a favourite section. */
  function nextArticle(
    random: Random,
    { from, reader, time }: { from: Article | undefined; reader: Reader; time: number },
  ): Article | undefined {
    const way = random();
    if (from && way < 0.5) {
      const near = publishedNear(from, time);
      return near[Math.floor(random() ** 2 * near.length)];
    }
    const section = reader.favourites[Math.floor(random() ** 1.5 * reader.favourites.length)] ?? from?.section;
    if (section && way < 0.78) {
      const newest = newestOf(section, time);
      return newest[Math.floor(random() ** 1.6 * newest.length)];
    }
    return interest.at(time, 'fresh').draw(random);
  }

  function publishedNear({ slug }: Article, time: number): Article[] {
    return neighbours.get(slug)!.filter(({ published }) => published <= time);
  }

  function newestOf(section: string, time: number): Article[] {
    const newest: Article[] = [];
    for (const article of articles) {
      if (article.section === section && article.published <= time) newest.push(article);
      if (newest.length === 6) break;
    }
    return newest;
  }

  return {
    sessionsOf,
    listsOf: (article, time) => ({
      related: publishedNear(article, time).slice(0, RELATED_POSTS),
      top: interest.at(time, 'fresh').best(TOP_POSTS),
    }),
  };
}

/** One in four glances and goes; the others read a part of the text, some all of it. */
function readingTime(random: Random, { body }: Article): number {
  if (random() < 0.25) return Math.floor(random() * 9);
  const whole = body.length / 6 / WORDS_A_SECOND;
  return Math.round(Math.min(whole, 900) * (0.12 + random() ** 0.8 * 0.88));
}

function clamp(time: number, longest: number): number {
  return Math.floor(Math.min(Math.max(time, 0), longest));
}
