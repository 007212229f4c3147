// Bodies of POST requests: JSON that a schema describes, or the parameters of the query, as JSON or as a form.
import type { Context } from 'hono';
import type { z } from 'zod';
import { isWithin, type JsonBounds } from '../posts/jsonBounds.ts';
import { BadParameters } from './errors.ts';
import { type Query, readQuery } from './query.ts';
import type { Bodies } from './readBody.ts';

/** A JSON body as the reference describes it. */
export interface DescribedBody<B = unknown> {
  schema: z.ZodType<B>;
  /** A body that fits. */
  example: object;
}

/** A JSON body that is read by its schema. */
export interface JsonBody<B = unknown> extends DescribedBody<B> {
  limits: BodyLimits;
}

interface BodyLimits {
  /** Bytes. */
  max: number;
  /** Bytes read before the guard has admitted the request. Default: `max`. */
  first?: number;
  /** Default: any number of values at any depth. */
  bounds?: JsonBounds;
  /** Only this media type is taken. Default: any. */
  type?: 'application/json';
  /** What is to be sent, for a body that is no object. */
  sentence: string;
}

/** Characters of a body that is parsed before its guard is asked, to say that it is malformed. */
const SMALL = 64 * 1024;

/**
 * Reads a body, and works on it while its bytes count as under way.
 * @param admit Verifies the keys in a body or in its beginning.
 * @throws {BadParameters} naming what is wrong with the body.
 */
export async function readJsonBody<B, T>(
  { c, bodies }: { c: Context; bodies: Bodies },
  { schema, limits }: JsonBody<B>,
  admit: (body: string) => void,
  use: (body: B) => Promise<T>,
): Promise<T> {
  const { max, first = max, bounds, type, sentence } = limits;
  if (type !== undefined && mediaTypeOf(c) !== type) refuse('content-type', `Send the body as ${type}.`);
  return await bodies.read(c.req.raw, { max, first, requireMore: admit }, async (text) => {
    // What is wrong with a small body costs little to find out.
    if (text.length <= SMALL && (!bounds || isWithin(text, bounds))) parseJson(text);
    if (!text.trimStart().startsWith('{')) refuse('body', sentence);
    admit(text);
    if (bounds && !isWithin(text, bounds))
      refuse('body', `Send at most ${bounds.values} values, ${bounds.depth} levels deep.`);
    const read = schema.safeParse(parseJson(text));
    if (!read.success) throw new BadParameters(complaintsOf(read.error, sentence));
    return await use(read.data);
  });
}

/** For each field the sentence of its schema; for the body as a whole, what is to be sent. */
function complaintsOf(error: z.ZodError, sentence: string): Record<string, string[]> {
  return Object.fromEntries(
    error.issues.map(({ path: [name], message }) => (name === undefined ? ['body', [sentence]] : [name, [message]])),
  );
}

const FIELDS = { max: 64 * 1024, bounds: { depth: 8, values: 100 } };

/** Parameters of the query, and of a body that is a JSON object or a form; the query wins. @throws {BadParameters} */
export function readFields(c: Context, bodies: Bodies): Promise<Query> {
  return bodies.read(c.req.raw, { max: FIELDS.max }, async (text) => {
    const body = text.trimStart().startsWith('{') ? readObject(text) : readQuery(`?${text}`);
    return new Map([...body, ...readQuery(c.req.url)]);
  });
}

function readObject(text: string): Query {
  if (!isWithin(text, FIELDS.bounds)) refuse('body', 'Send an object with a few fields.');
  const fields = Object.entries(parseJson(text) as object);
  return new Map(fields.flatMap(([name, value]) => (typeof value === 'string' && value ? [[name, [value]]] : [])));
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

function refuse(name: string, sentence: string): never {
  throw new BadParameters({ [name]: [sentence] });
}
