// The parameters of the interface, each declared once: the accepted values, the sentence that refuses all others, and
// the parsed value. Dates are parsed to moments; `resolvePeriod`, which has the site's time zone, converts them to
// instants.
//
//   const QUERY = z.object({ limit, page, section: texts('Sections'), url: url.optional() });
//   const { limit, page, section } = parseParams(QUERY, c.get('query'));      throws BadParameters
import { z } from 'zod';
import {
  DEFAULT_LIMIT,
  DEFAULT_PAGE,
  MAX_FILTER_VALUES,
  MAX_RECORDS,
  MAX_SPAN_DAYS,
  MAX_URL_LENGTH,
} from '../contract/limits.ts';
import { parseUrl } from '../posts/parseUrl.ts';
import { MOMENT_FORMS, parseMoment } from '../traffic/moment.ts';
import { BadParameters, type Complaints } from './errors.ts';
import { all, last, type Query } from './query.ts';

/** Maximum length of a filter's value, in characters: longer than any genuine author, section or tag. */
const MAX_TEXT = 1024;

interface Whole {
  min: number;
  max: number;
  what: string;
}

/** A whole number in decimal digits. */
export function whole(options: Whole & { default: number }): z.ZodType<number, unknown>;
export function whole(options: Whole): z.ZodType<number | undefined, unknown>;
export function whole(options: Whole & { default?: number }): z.ZodType<number | undefined, unknown> {
  const sentence = `Give a whole number from ${options.min} to ${options.max}.`;
  const number = z.int(sentence).min(options.min, sentence).max(options.max, sentence);
  const read = (text: unknown) =>
    typeof text === 'string' ? (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN) : text;
  const description = options.what;
  return z
    .preprocess(read, options.default === undefined ? number.optional() : number.default(options.default))
    .meta({ description });
}

/** A share from 0 to 1, such as 0.5. Default: none. */
export function share(description: string): z.ZodType<number | undefined, unknown> {
  const sentence = 'Give a number from 0 to 1, such as 0.5.';
  const read = (text: unknown) =>
    typeof text === 'string' ? (/^(?:\d{1,2}|\d?\.\d{1,20})$/.test(text) ? Number(text) : Number.NaN) : text;
  return z.preprocess(read, z.number(sentence).min(0, sentence).max(1, sentence).optional()).meta({ description });
}

/** One text value, unchanged. */
export function text(description: string) {
  return z
    .string()
    .max(MAX_TEXT, `Give at most ${MAX_TEXT} characters.`)
    .refine((value) => !value.includes('\0'), 'Give text without NUL characters.')
    .meta({ description });
}

/** A repeatable parameter. Default: no values. */
export function texts(description: string, most: number = MAX_FILTER_VALUES) {
  return listOf(text(description), most);
}

/** A repeatable parameter with values of its own type. Default: no values. */
export function listOf<T extends z.ZodType>(type: T, most: number) {
  return z
    .array(type)
    .max(most, `Give at most ${most} values.`)
    .default([])
    .meta({ description: `${type.meta()?.description ?? ''} Repeatable, up to ${most} values.` });
}

/** One of a closed list. */
export function oneOf<const T extends string>(values: readonly T[], description: string) {
  return z.enum(values, `Give one of ${values.join(', ')}.`).meta({ description });
}

/** A date or time in any format of the interface. */
export function moment(description: string) {
  return z
    .string()
    .transform((written, context) => {
      const parsed = parseMoment(written);
      if (parsed) return parsed;
      context.addIssue({ code: 'custom', message: MOMENT_FORMS });
      return z.NEVER;
    })
    .meta({ description, format: 'date, time or look-back' });
}

/** `1` enables an option; `0` disables it. */
export function flag(description: string) {
  return z
    .enum(['0', '1', 'true', 'false'], 'Give 1 or 0.')
    .transform((value) => value === '1' || value === 'true')
    .meta({ description });
}

const ABSOLUTE = 'Give an absolute http or https URL.';

/** An absolute URL. It is not rewritten here: the site index resolves the canonical one. */
export const url = z
  // In a body it may be no text.
  .string(ABSOLUTE)
  .max(MAX_URL_LENGTH, `Give at most ${MAX_URL_LENGTH} characters.`)
  .refine((value) => /^https?:\/\//i.test(value) && parseUrl(value) !== undefined, ABSOLUTE)
  .meta({ description: 'Canonical URL, with its scheme.' });

export const limit = whole({ min: 1, max: MAX_RECORDS, default: DEFAULT_LIMIT, what: 'Records on a page.' });
export const page = whole({ min: 1, max: MAX_RECORDS, default: DEFAULT_PAGE, what: 'Which page, from 1.' });
const MAX_DAYS = 36_500;

const LOOK_BACK = 'Look-back in days from the end, where no start is given.';
export const days = whole({ min: 1, max: MAX_DAYS, what: LOOK_BACK });
/** Where a longer period is refused. */
export const daysOfSpan = days.meta({ description: `${LOOK_BACK} At most ${MAX_SPAN_DAYS}.` });
/** Of dates of publication: from now, whatever end is given. */
export const publishedDays = whole({
  min: 1,
  max: MAX_DAYS,
  what: 'Published within so many days before now, where no pub_date_start is given.',
});

/** Schemas whose keys are parameter names. */
export type ParamSchema = z.ZodObject;

/**
 * Parses the parameters of a schema and ignores all other names. Path parameters take precedence over query parameters
 * of the same name.
 * @throws {BadParameters} naming every refused parameter.
 */
export function parseParams<S extends ParamSchema>(
  schema: S,
  query: Query,
  path: Record<string, string> = {},
): z.output<S> {
  const raw: Record<string, unknown> = Object.create(null);
  for (const [name, type] of Object.entries(schema.shape)) {
    const given = isList(type) ? all(query, name) : last(query, name);
    const value = Object.hasOwn(path, name) ? path[name] : given;
    if (value !== undefined) raw[name] = value;
  }
  const parsed = schema.safeParse(raw);
  const complaints = {
    ...(parsed.error && complaintsOf(parsed.error, raw)),
    ...complaintOfDepth(schema, parsed.data, raw),
  };
  if (!parsed.success || Object.keys(complaints).length > 0) throw new BadParameters(complaints);
  return parsed.data;
}

/** Whether a parameter's type takes all values or the last one; a default does not affect that. */
export function isList(type: z.core.$ZodType): boolean {
  if (type instanceof z.ZodDefault || type instanceof z.ZodOptional) return isList(type.unwrap());
  if (type instanceof z.ZodPipe) return isList(type.in);
  return type instanceof z.ZodArray;
}

/** No page begins after record 2000; the page that exceeds it is truncated. Reported together with all other errors. */
function complaintOfDepth({ shape }: ParamSchema, parsed: unknown, raw: Record<string, unknown>): Complaints {
  if (!shape.limit || !shape.page) return {};
  // A schema per request would be compiled each time: the two parameters are parsed again only after a refusal.
  const depth = (parsed ?? z.object({ limit: shape.limit, page: shape.page }).safeParse(raw).data) as
    | { limit?: unknown; page?: unknown }
    | undefined;
  if (!depth || Number(depth.limit) * (Number(depth.page) - 1) < MAX_RECORDS) return {};
  return { page: [`Give a page that begins within the first ${MAX_RECORDS} records.`] };
}

function complaintsOf(error: z.ZodError, raw: Record<string, unknown>): Complaints {
  const complaints = new Map<string, Set<string>>();
  for (const issue of error.issues) {
    const name = String(issue.path[0]);
    const sentences = complaints.get(name) ?? new Set<string>();
    complaints.set(name, sentences.add(name in raw ? issue.message : 'This parameter is required.'));
  }
  return Object.fromEntries([...complaints].map(([name, sentences]) => [name, [...sentences]]));
}
