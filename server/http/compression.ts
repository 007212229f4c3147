// Compression of dynamic answers: negotiation of the content coding, and the encoded bytes. Hono's own middleware has
// neither Brotli nor levels, and compresses cached answers once per request. Files of the widget are compressed by the
// build.
//
//   app.use('/v2/*', compression, cors, …);                 outermost: compresses the final answer
//   c.set('coded', list.coded);                             the body is cached, and so are its encodings
//   chooseCoding('gzip, br;q=0.5', CODINGS)                 → 'gzip'
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { bindingsOf } from './bindings.ts';
import { etagOf, isFresh } from './etag.ts';
import { type Query, readQuery } from './query.ts';

/** In order of preference among codings of equal weight. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Encodings of a cached body, made on demand and cached as long as the body. */
export type Coded = Map<Coding, Buffer<ArrayBuffer>>;
/** The part of the request's context used here; a separate type, since HttpEnv imports this file. */
type CodedEnv = { Variables: { query: Query; coded?: Coded } };

/** A shorter answer fits in a packet or two without compression. */
const MIN_BYTES = 1024;
/**
 * Brotli quality: a list of ten posts takes 50 µs, one of two thousand 4.5 ms per MB. Quality 4 takes half as much time
 * again for 3 % fewer bytes.
 */
const QUALITY = 3;
/** A window of 256 KiB instead of 4 MiB of memory per answer; the records of a list repeat within that. */
const WINDOW_BITS = 18;
/** The gzip level with the same processor time. */
const LEVEL = 3;
/** Longer bodies are compressed in the thread pool; this size takes 0.2 ms. */
const SYNC_BYTES = 64 * 1024;

const brotliOptions = (bytes: number): BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
});

/**
 * Content coding selected by an Accept-Encoding header: RFC 9110, section 12.5.3. `*` stands for every coding that is
 * not named.
 * @param offered In order of preference.
 * @returns undefined for the identity coding, also where the client accepts no offered coding.
 */
export function chooseCoding<C extends string>(header: string | undefined, offered: readonly C[]): C | undefined {
  if (header === undefined || header === '') return undefined;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    weights.set(name, weightOf(parameters));
  }
  const weigh = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const best = offered.reduce<C | undefined>(
    (found, coding) => (weigh(coding) > (found === undefined ? 0 : weigh(found)) ? coding : found),
    undefined,
  );
  // A client that names `identity` may prefer it.
  return best !== undefined && weigh(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}

/** An invalid weight counts as 0: the coding is not used. */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (weight === undefined) return 1;
  const value = weight.slice(weight.indexOf('=') + 1).trim();
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(value) ? Number(value) : 0;
}

/** The coding of an answer of a given length. */
export const codingFor = (header: string | undefined, bytes: number): Coding | undefined =>
  bytes <= MIN_BYTES ? undefined : chooseCoding(header, CODINGS);

/** A cached body in a coding, compressed on first use. */
export function codedOf(body: Uint8Array, coding: Coding, coded: Coded): Buffer<ArrayBuffer> {
  const known = coded.get(coding);
  if (known !== undefined) return known;
  const made =
    coding === 'br' ? brotliCompressSync(body, brotliOptions(body.length)) : gzipSync(body, { level: LEVEL });
  coded.set(coding, made);
  return made;
}

const inPool = {
  br: promisify<Uint8Array, BrotliOptions, Buffer<ArrayBuffer>>(brotliCompress),
  gzip: promisify<Uint8Array, object, Buffer<ArrayBuffer>>(gzip),
};

/** Compresses an uncached body; a long one in the thread pool. */
async function compress(body: Uint8Array, coding: Coding): Promise<Buffer<ArrayBuffer>> {
  if (body.length <= SYNC_BYTES) return codedOf(body, coding, new Map());
  return coding === 'br'
    ? await inPool.br(body, brotliOptions(body.length))
    : await inPool.gzip(body, { level: LEVEL });
}

const COMPRESSIBLE = /^(?:application\/(?:json|javascript)|text\/html)\b/;

/**
 * Answers `If-None-Match`, and compresses. An answer whose URL contains a secret or a reader's id repeats it in its
 * links, next to text of third parties (titles, referrers). Its compressed length would reveal common substrings, so it
 * is sent uncompressed. A secret in the Authorization header is never repeated in an answer.
 */
export const compression: MiddlewareHandler<CodedEnv> = (c, next) => {
  const conditions = conditionsOf(c);
  return conditions.accepted === undefined && conditions.known === undefined ? next() : negotiate(c, next, conditions);
};

interface Conditions {
  /** Accept-Encoding. */
  accepted: string | undefined;
  /** If-None-Match. */
  known: string | undefined;
}

/** Read from node:http where available, which creates no object for all headers. */
function conditionsOf(c: Context<CodedEnv>): Conditions {
  const { incoming } = bindingsOf(c);
  if (incoming === undefined)
    return { accepted: c.req.header('Accept-Encoding'), known: c.req.header('If-None-Match') };
  const { 'accept-encoding': accepted, 'if-none-match': known } = incoming.headers;
  return { accepted: accepted === undefined ? undefined : String(accepted), known };
}

async function negotiate(c: Context<CodedEnv>, next: Next, { accepted, known }: Conditions): Promise<void> {
  await next();
  const { res } = c;
  if (res.status !== 200 || !COMPRESSIBLE.test(res.headers.get('Content-Type') ?? '')) return;
  res.headers.set('Vary', 'Accept-Encoding');
  const wanted = chooseCoding(accepted, CODINGS);
  const coding = wanted === undefined || namesSecret(c.get('query') ?? readQuery(c.req.url)) ? undefined : wanted;
  const etag = res.headers.get('ETag');
  if (etag !== null) {
    // A short body is sent uncompressed, also to a client that accepts a coding.
    const tags = [etagOf(etag, coding), etag];
    const fresh = tags.find((tag) => isFresh(known, tag));
    if (fresh !== undefined) return answerUnchanged(c, fresh);
  }
  if (coding !== undefined) await answerCoded(c, coding, etag);
}

const namesSecret = (query: Query): boolean => query.has('secret') || query.has('uuid');

function answerUnchanged(c: Context<CodedEnv>, etag: string): void {
  const headers = new Headers(c.res.headers);
  headers.delete('Content-Type');
  headers.delete('Content-Length');
  headers.set('ETag', etag);
  replace(c, new Response(null, { status: 304, headers }));
}

async function answerCoded(c: Context<CodedEnv>, coding: Coding, etag: string | null): Promise<void> {
  const headers = new Headers(c.res.headers);
  // A script wraps the list in a call, so its body differs from the cached one.
  const coded = headers.get('Content-Type')?.startsWith('application/javascript') ? undefined : c.get('coded');
  const body = new Uint8Array(await c.res.arrayBuffer());
  const isShort = body.length <= MIN_BYTES;
  if (!isShort) {
    headers.set('Content-Encoding', coding);
    headers.delete('Content-Length');
    if (etag !== null) headers.set('ETag', etagOf(etag, coding));
  }
  const bytes = isShort ? body : coded ? codedOf(body, coding, coded) : await compress(body, coding);
  replace(c, new Response(bytes, { status: 200, headers }));
}

/** Hono merges the previous headers into a replaced response unless it is cleared first. */
function replace(c: Context<CodedEnv>, response: Response): void {
  c.res = undefined;
  c.res = response;
}
