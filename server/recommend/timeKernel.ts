// What a post's score is multiplied by for the days between two posts: the ratio that the site itself says, to a power.

import type { DateGaps } from '../textindex/dateGaps.ts';

/** Days in the table of upper bounds; beyond them the effect of the last day is the bound. */
const DAYS = 4096;

/** Logs of the ratios of a site by day, for upper bounds. A workspace keeps those of its last query of an index. */
export class TimeKernel {
  private readonly gaps: DateGaps;
  private readonly byDay: Float64Array;

  constructor(gaps: DateGaps) {
    this.gaps = gaps;
    this.byDay = Float64Array.from({ length: DAYS }, (_, day) => gaps.logRatio(day));
  }

  isOf(gaps: DateGaps): boolean {
    return this.gaps === gaps;
  }

  of(days: number, power: number): number {
    return Math.exp(power * this.gaps.logRatio(days));
  }

  bound(days: number, power: number): number {
    return Math.exp(power * this.byDay[Math.min(days, DAYS - 1) | 0]!);
  }
}
