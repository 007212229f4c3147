// Compression of answers made on request: which coding a client takes, and the bytes in it. Hono's own middleware has no Brotli, no
// levels, and compresses answers that are kept in memory once per request. Files of the widget are compressed by the build.
//
//   app.use('/v2/*', compression, cors, …);                 outermost: it sees the answer as it is sent
//   c.set('coded', list.coded);                             the body is kept somewhere: so are its codings
//   chooseCoding('gzip, br;q=0.5', CODINGS)                 → 'gzip'
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { etagOf, isFresh } from './etag.ts';
import { type Query, readQuery } from './query.ts';

/** Best first: the order of preference among those that a client takes alike. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** A body in the codings it was asked for in, kept as long as the body. */
export type Coded = Map<Coding, Buffer<ArrayBuffer>>;
/** The part of the request's context that is read here: HttpEnv imports this file. */
type CodedEnv = { Variables: { query: Query; coded?: Coded } };

/** A shorter answer fits in a packet or two as it is. */
const MIN_BYTES = 1024;
/** A list of ten posts takes 50 µs, and of two thousand 4.5 ms per MB; quality 4 takes half as much again for 3 % of bytes. */
const QUALITY = 3;
/** 256 KiB of window instead of 4 MiB of memory for each answer; records of a list are alike within that. */
const WINDOW_BITS = 18;
/** The same time for gzip. */
const LEVEL = 3;
/** Longer bodies are compressed by the thread pool: this much takes 0.2 ms. */
const SYNC_BYTES = 64 * 1024;

const brotliOptions = (bytes: number): BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
});

/**
 * The coding that an Accept-Encoding header asks for: RFC 9110, section 12.5.3. `*` is every coding that is not named.
 * @param offered Best first.
 * @returns undefined for the body as it is, which is also the answer to a client that takes nothing that is offered.
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

/** A weight that is none counts as 0: the coding is not used. */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (weight === undefined) return 1;
  const value = weight.slice(weight.indexOf('=') + 1).trim();
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(value) ? Number(value) : 0;
}

/** The coding of an answer of so many bytes. */
export const codingFor = (header: string | undefined, bytes: number): Coding | undefined =>
  bytes <= MIN_BYTES ? undefined : chooseCoding(header, CODINGS);

/** A kept body in a coding: compressed the first time. */
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

/** Once only: what is long is left to the thread pool. */
async function compress(body: Uint8Array, coding: Coding): Promise<Buffer<ArrayBuffer>> {
  if (body.length <= SYNC_BYTES) return codedOf(body, coding, new Map());
  return coding === 'br'
    ? await inPool.br(body, brotliOptions(body.length))
    : await inPool.gzip(body, { level: LEVEL });
}

const COMPRESSIBLE = /^(?:application\/(?:json|javascript)|text\/html)\b/;

/**
 * Answers `If-None-Match`, and compresses. An answer whose address names a secret or a reader repeats it in its links, beside text of
 * strangers (titles, referrers): its compressed length would say how much they have in common, so it is sent as it is. A secret in the
 * Authorization header stands in no answer.
 */
export const compression: MiddlewareHandler<CodedEnv> = (c, next) => {
  const wishes = wishesOf(c);
  return wishes.accepted === undefined && wishes.known === undefined ? next() : negotiate(c, next, wishes);
};

interface Wishes {
  /** Accept-Encoding. */
  accepted: string | undefined;
  /** If-None-Match. */
  known: string | undefined;
}

/** From node:http, where there is one: that makes no object of all headers. */
function wishesOf(c: Context<CodedEnv>): Wishes {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  if (incoming === undefined)
    return { accepted: c.req.header('Accept-Encoding'), known: c.req.header('If-None-Match') };
  const { 'accept-encoding': accepted, 'if-none-match': known } = incoming.headers;
  return { accepted: accepted === undefined ? undefined : String(accepted), known };
}

async function negotiate(c: Context<CodedEnv>, next: Next, { accepted, known }: Wishes): Promise<void> {
  await next();
  const { res } = c;
  if (res.status !== 200 || !COMPRESSIBLE.test(res.headers.get('Content-Type') ?? '')) return;
  res.headers.set('Vary', 'Accept-Encoding');
  const wanted = chooseCoding(accepted, CODINGS);
  const coding = wanted === undefined || namesSecret(c.get('query') ?? readQuery(c.req.url)) ? undefined : wanted;
  const etag = res.headers.get('ETag');
  if (etag !== null) {
    // A short body was sent as it is, to a client that takes a coding too.
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
  // A script is the list in a call: another body than the one that is kept.
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

/** Hono merges the old headers into a replaced response unless it is emptied first. */
function replace(c: Context<CodedEnv>, response: Response): void {
  c.res = undefined;
  c.res = response;
}
