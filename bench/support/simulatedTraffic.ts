// A year of page views of a site, by minutes: rhythms of the day and the week, growth, holidays, good and bad days,
// bursts, and noise heavier than Poisson.
import { gaussian, type Random, seeded } from '../../demo/world/random.ts';

/** Epoch milliseconds of the first minute: a Monday. */
export const BEGIN = Date.UTC(2040, 0, 2);
export const DAYS = 364;
const MINUTES_A_DAY = 1440;

/** Of the average, by hour, from midnight. */
const HOURS = [
  ...[0.35, 0.22, 0.15, 0.12, 0.14, 0.3, 0.7, 1.15, 1.35, 1.3, 1.25, 1.25],
  ...[1.35, 1.3, 1.15, 1.1, 1.15, 1.25, 1.35, 1.5, 1.6, 1.55, 1.2, 0.75],
];
const WEEKDAYS = [1.05, 1.08, 1.06, 1.05, 1, 0.82, 0.94];
/** The last day has so many times the views of the first. */
const GROWTH = 1.5;
const HOLIDAYS = 12;
const HOLIDAY_LEVEL = 0.55;
/** Readers get up later then. */
const HOLIDAY_SHIFT = 90;
/** Spread of the logarithm of a day's level. */
const DAY_SPREAD = 0.12;
/** Spread of the logarithm of the level within a day, and minutes after which it is forgotten. */
const LEVEL_SPREAD = 0.15;
const LEVEL_MINUTES = 180;
const BURSTS_A_WEEK = 4;
/** A burst rises within these minutes, and falls by e within those. */
const BURST = { rise: 8, fall: 60, least: 0.2, most: 0.7 };
/** Spread of a minute around its level, beside that of Poisson. */
export const MINUTE_SPREAD = 0.3;

export interface SimulatedYear {
  /** Views of each minute. */
  views: readonly number[];
  /** What each was drawn around. */
  means: readonly number[];
}

/** @param perDay Views of an average day, before growth. */
export function simulateYear(perDay: number, seed: number): SimulatedYear {
  const random = seeded(`traffic ${perDay}`, seed);
  const holidays = new Set(Array.from({ length: HOLIDAYS }, () => Math.floor(random() * DAYS)));
  const bursts = burstsOf(random);
  const forget = Math.exp(-1 / LEVEL_MINUTES);
  let level = gaussian(random) * LEVEL_SPREAD;
  const means: number[] = [];
  for (let day = 0; day < DAYS; day++) {
    const growth = GROWTH ** (day / DAYS);
    const ofDay = Math.exp(gaussian(random) * DAY_SPREAD) * WEEKDAYS[day % 7]! * growth;
    const isHoliday = holidays.has(day);
    for (let minute = 0; minute < MINUTES_A_DAY; minute++) {
      level = level * forget + gaussian(random) * LEVEL_SPREAD * Math.sqrt(1 - forget ** 2);
      const ofTime = isHoliday ? HOLIDAY_LEVEL * shapeAt(minute - HOLIDAY_SHIFT) : shapeAt(minute);
      const burst = 1 + bursts[day * MINUTES_A_DAY + minute]!;
      means.push((perDay / MINUTES_A_DAY) * ofDay * ofTime * Math.exp(level) * burst);
    }
  }
  return { means, views: means.map((mean) => draw(random, mean)) };
}

/** A count around a mean, with the noise of a minute. */
export const draw = (random: Random, mean: number): number =>
  poisson(random, mean * gamma(random, 1 / MINUTE_SPREAD ** 2) * MINUTE_SPREAD ** 2);

function shapeAt(minute: number): number {
  const place = (minute / 60 + 23.5) % 24;
  const before = Math.floor(place);
  const [one, other] = [HOURS[before]!, HOURS[(before + 1) % 24]!];
  return one + (other - one) * (place - before);
}

function burstsOf(random: Random): number[] {
  const shares = new Array<number>(DAYS * MINUTES_A_DAY).fill(0);
  for (let number = 0; number < (DAYS / 7) * BURSTS_A_WEEK; number++) {
    const start = Math.floor(random() * shares.length);
    const height = BURST.least + random() * (BURST.most - BURST.least);
    for (let age = 0; age < BURST.fall * 5 && start + age < shares.length; age++)
      shares[start + age]! +=
        height * Math.min(1, age / BURST.rise) * Math.exp(-Math.max(0, age - BURST.rise) / BURST.fall);
  }
  return shares;
}

/** Mean and variance `shape`; 1 or more. Source: Marsaglia and Tsang, A simple method for generating gamma variables. */
function gamma(random: Random, shape: number): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = gaussian(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Beyond a mean of 40 by the normal distribution. */
function poisson(random: Random, mean: number): number {
  if (mean > 40) return Math.max(0, Math.round(mean + gaussian(random) * Math.sqrt(mean)));
  const end = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > end; product *= random()) count++;
  return count;
}
