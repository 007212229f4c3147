// Who reads the paper: regulars with habits, and people who pass by.
import { HOUR } from '../../server/durations.ts';
import type { Device } from '../../server/ingest/eventRow.ts';
import { SECTIONS, type SectionName } from '../articles/sections.ts';
import { hash32, pick, pickWeighted, type Random, seeded } from './random.ts';

export interface Reader {
  /** 64 bits as decimal text, as events carry them. */
  visitor: string;
  device: Device;
  segments: readonly string[];
  /** What a regular looks at first; empty for who passes by. */
  favourites: readonly SectionName[];
}

/** Somebody who comes back by habit. */
export interface Regular extends Reader {
  /** Chance to come on a working day. */
  loyalty: number;
  /** Milliseconds after midnight around which they come. */
  hour: number;
  /** Reads the morning newsletter and starts from it. */
  newsletter: boolean;
}

const DEVICES: Record<Device, number> = { mobile: 56, desktop: 38, tablet: 6 };
const WORK_DEVICES: Record<Device, number> = { mobile: 34, desktop: 62, tablet: 4 };

export function createRegulars(count: number, seed: string): Regular[] {
  return Array.from({ length: count }, (_, index) => {
    const random = seeded(seed, 'regular', index);
    const newsletter = random() < 0.35;
    const first = pick(random, SECTIONS);
    const second = pick(random, SECTIONS);
    return {
      visitor: visitorId(seed, 'regular', index),
      device: pickWeighted(random, WORK_DEVICES),
      segments: newsletter ? ['regular', 'newsletter'] : ['regular'],
      favourites: first === second ? [first] : [first, second],
      loyalty: 0.12 + random() ** 2 * 0.7,
      hour: (newsletter ? 6.5 + random() * 3 : pick(random, [7.5, 8.5, 12.2, 12.8, 17.5, 20.5, 21.5])) * HOUR,
      newsletter,
    };
  });
}

/** Somebody who passes by; one in four has been here before. */
export function drawPasserBy(
  random: Random,
  { seed, day, index, pool }: { seed: string; day: string; index: number; pool: number },
): Reader {
  const known = random() < 0.25;
  const visitor = known ? visitorId(seed, 'known', Math.floor(random() * pool)) : visitorId(seed, day, index);
  return { visitor, device: pickWeighted(random, DEVICES), segments: [], favourites: [] };
}

function visitorId(...words: readonly (string | number)[]): string {
  return ((BigInt(hash32('high', ...words)) << 32n) | BigInt(hash32('low', ...words))).toString();
}
