// One request to one machine whose address is settled: no redirect is followed, nothing is read but the head of the
// answer.
import type { LookupAddress } from 'node:dns';
import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { messageOf } from '../errors.ts';
import { CrawlError } from './failure.ts';

/** Validators of the server's last answer, for a conditional request. */
export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

/** What is sent by POST. */
export interface Message {
  type: string;
  bytes: Buffer;
  headers: Readonly<Record<string, string>>;
}

export interface RequestOptions {
  /** Where to connect; never looked up again. */
  addresses: readonly LookupAddress[];
  userAgent: string;
  accept: string;
  /** What is known of the page from an earlier reading. */
  known?: Validators | undefined;
  /** Default: nothing is sent, by GET. */
  message?: Message | undefined;
  signal: AbortSignal;
}

/**
 * Resolves with the answer's head; its body is the caller's to read or destroy.
 * @throws {CrawlError} `unreachable`, or `too-slow` when the signal came first.
 */
export function request(
  url: URL,
  { addresses, userAgent, accept, known, message, signal }: RequestOptions,
): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? overHttps : overHttp;
  return new Promise((done, fail) => {
    const asked = send(url, {
      lookup: pinned(addresses),
      // A connection of its own: a pooled one would be chosen by name.
      agent: false,
      method: message === undefined ? 'GET' : 'POST',
      headers: {
        'User-Agent': userAgent,
        Accept: accept,
        'Accept-Encoding': 'gzip, deflate, br',
        'Accept-Language': '*',
        ...(known?.etag !== undefined && { 'If-None-Match': known.etag }),
        ...(known?.lastModified !== undefined && { 'If-Modified-Since': known.lastModified }),
        ...(message && { ...message.headers, 'Content-Type': message.type, 'Content-Length': message.bytes.length }),
      },
      maxHeaderSize: 32 * 1024,
      signal,
    });
    asked.once('response', done);
    asked.once('error', (cause) => fail(asCrawlError(cause, url, signal)));
    asked.end(message?.bytes);
  });
}

/** What a broken connection means to us. */
export function asCrawlError(cause: unknown, url: URL, signal: AbortSignal): CrawlError {
  if (cause instanceof CrawlError) return cause;
  if (signal.aborted) return new CrawlError('too-slow', `${url.host} did not answer in time.`, { cause });
  const why = messageOf(cause);
  return new CrawlError('unreachable', `${url.host} could not be reached (${why}).`, { cause });
}

function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}
