// How much readers want an article at a moment: its own appeal, how new it is, whether it is in the news, whether people search for it.
import { DAY, HOUR } from '../../server/durations.ts';
import type { Article } from '../edition.ts';
import { gaussian, type Random, seeded } from './random.ts';

/** Where readers come from decides what they come for. */
export type Appetite = 'fresh' | 'talked-about' | 'searched';

interface Drive {
  published: number;
  /** Log-normal around 1. */
  appeal: number;
  /** What search engines go on sending for months. */
  evergreen: number;
  /** A moment the article is talked about elsewhere, and how much; 0 for most. */
  peak: { time: number; strength: number };
}

/** A table to draw from: articles by running totals of their weight. */
export interface Demand {
  draw(random: Random): Article | undefined;
  /** So many articles that readers want most. */
  best(count: number): Article[];
}

export interface Interest {
  /** Demand in the hour a moment lies in. Kept for the last few hours asked about. */
  at(time: number, appetite: Appetite): Demand;
}

/** Half of the readers an article finds on its first day it finds within so many days. */
const FRESH_DAYS = 1.1;
/** How long a peak takes to pass. */
const PEAK_HOURS = 9;
const KEPT_TABLES = 12;

export function createInterest(articles: readonly Article[], seed: string): Interest {
  const drives = articles.map((article) => driveOf(article, seed));
  const tables = new Map<string, Demand>();
  return {
    at(time, appetite) {
      const hour = Math.floor(time / HOUR) * HOUR;
      const key = `${hour} ${appetite}`;
      let table = tables.get(key);
      if (!table) {
        table = createDemand(
          articles,
          drives.map((drive) => weight(drive, hour, appetite)),
        );
        if (tables.size >= KEPT_TABLES) tables.delete(tables.keys().next().value!);
        tables.set(key, table);
      }
      return table;
    },
  };
}

function driveOf({ slug, published }: Article, seed: string): Drive {
  const random = seeded(seed, 'drive', slug);
  const appeal = Math.exp(gaussian(random) * 0.85);
  const evergreen = random() < 0.1 ? 0.02 + random() * 0.05 : 0.0015;
  const peaked = random() < 0.09;
  const time = published + (random() < 0.7 ? 2 + random() * 16 : 24 * random() * 20) * HOUR;
  return { published, appeal, evergreen, peak: { time, strength: peaked ? 4 + random() * 10 : 0 } };
}

function weight({ published, appeal, evergreen, peak }: Drive, time: number, appetite: Appetite): number {
  const age = time - published;
  if (age < 0) return 0;
  const fresh = Math.exp(-age / (FRESH_DAYS * 1.44 * DAY)) + 0.03 * Math.exp(-age / (30 * DAY));
  const since = time - peak.time;
  const news = since < 0 ? 0 : peak.strength * Math.exp(-since / (PEAK_HOURS * HOUR));
  switch (appetite) {
    case 'fresh':
      return appeal * (fresh + news * 0.3);
    case 'talked-about':
      return appeal * (fresh * fresh + news);
    case 'searched':
      return appeal * (fresh * 0.12 + evergreen + news * 0.1);
  }
}

function createDemand(articles: readonly Article[], weights: readonly number[]): Demand {
  const totals: number[] = [];
  let total = 0;
  for (const value of weights) {
    total += value;
    totals.push(total);
  }
  let order: number[] | undefined;
  return {
    best(count) {
      order ??= [...weights.keys()].filter((index) => weights[index]! > 0).sort((a, b) => weights[b]! - weights[a]!);
      return order.slice(0, count).map((index) => articles[index]!);
    },
    draw(random) {
      if (total === 0) return undefined;
      const target = random() * total;
      let [low, high] = [0, totals.length - 1];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (totals[middle]! > target) high = middle;
        else low = middle + 1;
      }
      return articles[low];
    },
  };
}
