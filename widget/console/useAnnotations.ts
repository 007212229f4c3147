// What happened in a period.
import type { Params } from './ask.ts';
import type { Moment } from './moments.ts';
import { type Answered, useAnswer } from './useAnswer.ts';

export interface Moments {
  data: Moment[];
  /** How many older ones of the period are not in it. */
  more: number;
}

/** @param isAsked Default: true. */
export const useMoments = (scope: Params, isAsked = true): Answered<Moments> =>
  useAnswer(isAsked ? '/v2/analytics/annotations' : undefined, scope);
