// What happened in a period.
import type { AnnotationRecord } from '../../server/contract/annotations.ts';
import type { Params } from './ask.ts';
import { type Answered, useAnswer } from './useAnswer.ts';

export interface Annotations {
  data: AnnotationRecord[];
  /** How many older ones of the period are not in it. */
  more: number;
}

/** @param isAsked Default: true. */
export const useAnnotations = (scope: Params, isAsked = true): Answered<Annotations> =>
  useAnswer(isAsked ? '/v2/analytics/annotations' : undefined, scope);
