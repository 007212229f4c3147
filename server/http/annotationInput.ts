// What creates an annotation, by the endpoint or by a command.
import { z } from 'zod';
import { DEFAULT_KIND, DERIVED_KINDS, MAX_LABEL } from '../contract/annotations.ts';
import { DAY } from '../durations.ts';
import { type Annotation, createAnnotation } from '../sites/annotations.ts';
import { instantFor, MOMENT_FORMS, parseMoment } from '../traffic/moment.ts';
import type { Clock } from '../traffic/period.ts';
import { url } from './params.ts';

const LABEL = `Give a label of 1 to ${MAX_LABEL} characters, on one line.`;
const KIND = `Give a word of lower-case letters, digits and hyphens, up to 32, such as deploy; not ${DERIVED_KINDS.join(', ')}.`;
const RANGE = 'Give a date from the year 2000 to a year from now.';

const EARLIEST = Date.UTC(2000, 0, 1);
const AHEAD_MS = 366 * DAY;

export const ANNOTATION_INPUT = {
  label: z
    .string(LABEL)
    .trim()
    .min(1, LABEL)
    .max(MAX_LABEL, LABEL)
    // Neither control characters nor halves of surrogate pairs, which no database keeps.
    .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, LABEL)
    .meta({ description: 'What happened, as it is shown: markup is text.' }),
  kind: z
    .string(KIND)
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, KIND)
    .refine((word) => !DERIVED_KINDS.some((derived) => derived === word), KIND)
    .optional()
    .meta({ description: `A word such as deploy, newsletter or outage. Default: ${DEFAULT_KIND}.` }),
  date: z
    .string(MOMENT_FORMS)
    .refine((written) => parseMoment(written) !== undefined, MOMENT_FORMS)
    .optional()
    .meta({
      description: 'When it happened, in any form that periods take; a date is its first moment. Default: now.',
    }),
  url: url.optional().meta({ description: 'The post that it is about. Default: the whole site.' }),
};

const INPUT = z.object(ANNOTATION_INPUT);

/** @returns A sentence where the date is out of range. */
export function annotationOf({ date, label, kind, url }: z.output<typeof INPUT>, clock: Clock): Annotation | string {
  const moment = date === undefined ? undefined : parseMoment(date);
  const at = moment === undefined ? clock.now : instantFor(moment, 'start', clock);
  if (!(at >= EARLIEST && at <= clock.now + AHEAD_MS)) return RANGE;
  return createAnnotation({ label, at, ...(kind !== undefined && { kind }), ...(url !== undefined && { url }) });
}
