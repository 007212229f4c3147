// What a post's score is multiplied by for the days between two posts: the ratio that the site itself says, to a power.

import type { DateGaps } from '../textindex/dateGaps.ts';

/** Days in the table of upper bounds; beyond them the effect of the last day is the bound. */
const DAYS = 4096;

/** Effects of days apart, and a table of upper bounds. A workspace keeps that of its last query of an index. */
export class TimeKernel {
  private readonly gaps: DateGaps;
  private readonly power: number;
  private readonly byDay: Float64Array;

  constructor(gaps: DateGaps, power: number) {
    this.gaps = gaps;
    this.power = power;
    this.byDay = Float64Array.from({ length: DAYS }, (_, day) => this.of(day));
  }

  isOf(gaps: DateGaps, power: number): boolean {
    return this.gaps === gaps && this.power === power;
  }

  of(days: number): number {
    return Math.exp(this.power * this.gaps.logRatio(days));
  }

  bound(days: number): number {
    return this.byDay[Math.min(days, DAYS - 1) | 0]!;
  }
}
