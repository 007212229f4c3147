// Bodies of POST requests: JSON validated by a schema, or the parameters of the query, as JSON or as a form.
import type { Context } from 'hono';
import type { z } from 'zod';
import { isWithin, type JsonBounds } from '../posts/jsonBounds.ts';
import { BadParameters } from './errors.ts';
import { type Query, readQuery } from './query.ts';
import type { Bodies } from './readBody.ts';

/** A JSON body, as documented in the reference. */
export interface DescribedBody<B = unknown> {
  schema: z.ZodType<B>;
  /** An example of a valid body. */
  example: object;
}

/** A JSON body that is validated by its schema. */
export interface JsonBody<B = unknown> extends DescribedBody<B> {
  limits: BodyLimits;
}

interface BodyLimits {
  /** Bytes. */
  max: number;
  /** Maximum of bytes read before the guard has admitted the request. Default: `max`. */
  first?: number;
  /** Default: any number of values at any depth. */
  bounds?: JsonBounds;
  /** The only accepted media type. Default: any. */
  type?: 'application/json';
  /** The expected body, for the error about a body that is no object. */
  sentence: string;
  /** Errors name a field by its whole path, such as `add.variants.1.share`. Default: by its first part. */
  path?: true;
}

/** Maximum of characters of a body that is parsed before the guard runs, to report malformed JSON. */
const SMALL = 64 * 1024;

/**
 * Reads a body, and processes it while its bytes count against the limit.
 * @param admit Verifies the keys in a body or in its beginning.
 * @throws {BadParameters} naming the faults of the body.
 */
export async function readJsonBody<B, T>(
  { c, bodies }: { c: Context; bodies: Bodies },
  { schema, limits }: JsonBody<B>,
  admit: (body: string) => void,
  use: (body: B) => Promise<T>,
): Promise<T> {
  const { max, first = max, bounds, type, sentence, path } = limits;
  if (type !== undefined && mediaTypeOf(c) !== type) refuse('content-type', `Send the body as ${type}.`);
  refuseCoded(c);
  return await bodies.read(c.req.raw, { max, first, requireMore: admit }, async (text) => {
    // Errors in a small body are cheap to detect.
    if (text.length <= SMALL && (!bounds || isWithin(text, bounds))) parseJson(text);
    if (!text.trimStart().startsWith('{')) refuse('body', sentence);
    admit(text);
    if (bounds && !isWithin(text, bounds))
      refuse('body', `Send at most ${bounds.values} values, ${bounds.depth} levels deep.`);
    const read = schema.safeParse(parseJson(text));
    if (!read.success) throw new BadParameters(complaintsOf(read.error, { sentence, path }));
    return await use(read.data);
  });
}

/** For each field the sentence of its schema; for the body as a whole, the expected body. */
function complaintsOf(
  error: z.ZodError,
  { sentence, path: isWhole }: Pick<BodyLimits, 'sentence' | 'path'>,
): Record<string, string[]> {
  const complaints = new Map<string, string[]>();
  for (const { path, message } of error.issues) {
    const [first] = path;
    const name = first === undefined ? 'body' : String(isWhole ? path.join('.') : first);
    // The first says what kind of value it takes; bounds of another kind say nothing.
    if (!complaints.has(name)) complaints.set(name, [first === undefined ? sentence : message]);
  }
  return Object.fromEntries(complaints);
}

const FIELDS = { max: 64 * 1024, bounds: { depth: 8, values: 100 } };

/**
 * Parameters of the query, and of a body that is a JSON object or a form; the query takes precedence.
 * @throws {BadParameters}
 */
export async function readFields(c: Context, bodies: Bodies): Promise<Query> {
  refuseCoded(c);
  return await bodies.read(c.req.raw, { max: FIELDS.max }, async (text) => {
    const body = text.trimStart().startsWith('{') ? readObject(text) : readQuery(`?${text}`);
    return new Map([...body, ...readQuery(c.req.url)]);
  });
}

function readObject(text: string): Query {
  if (!isWithin(text, FIELDS.bounds)) refuse('body', 'Send an object with a few fields.');
  const fields = Object.entries(parseJson(text) as object).map(([name, value]) => [name, toText(value)] as const);
  return new Map(fields.flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, [value]]])));
}

/**
 * A field as it would be in a query, so that the parameter decides about every value: one that was left out because it
 * is no text, such as `"dry_run": true`, would do what its sender ruled out.
 */
function toText(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) refuse('body', 'Send well-formed JSON.');
    throw error;
  }
}

const mediaTypeOf = (c: Context) => c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();

/** Its bytes would be taken for malformed text. */
function refuseCoded(c: Context): void {
  const coding = c.req.header('Content-Encoding')?.trim().toLowerCase() || 'identity';
  if (coding !== 'identity') refuse('content-encoding', 'Send the body as it is, without a content coding.');
}

function refuse(name: string, sentence: string): never {
  throw new BadParameters({ [name]: [sentence] });
}
