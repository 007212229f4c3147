// Fetches a page of a site: only the site's hosts, only public addresses, the same checks at each redirect, bounded in
// size and time. A post's picture may lie on any host; the other checks are the same.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { belongsToSite } from '../ingest/siteHosts.ts';
import { parseWebUrl } from '../posts/canonicalUrl.ts';
import { parseUrl } from '../posts/parseUrl.ts';
import type { Site } from '../sites/site.ts';
import { type AddressRules, checkedAddresses } from './address.ts';
import { CrawlError } from './failure.ts';
import { type Received, receive } from './receive.ts';
import { asCrawlError, type Message, request, type Validators } from './request.ts';

export interface FetchRules extends AddressRules {
  userAgent: string;
  /** Ports besides 80, 443 and those a site names; for development. */
  anyPort: boolean;
  /** Milliseconds for everything, redirects included. Default: 10 s. */
  timeout?: number;
  /** Breaks everything off. */
  stop?: AbortSignal;
}

export interface Fetched extends Received {
  /** Where it was read, after redirects. */
  url: URL;
  status: number;
  contentType: string;
  language: string | undefined;
  validators: Validators;
  /** Header `Content-Security-Policy`; several headers come with commas between. */
  policy: string | undefined;
}

/** What of a site says which hosts are its own. */
export type FetchedSite = Pick<Site, 'id' | 'domains'>;

export interface FetchOptions {
  /** Whose hosts may be asked; undefined: any host of the public internet. */
  site: FetchedSite | undefined;
  accept: string;
  /**
   * From an earlier reading of this very address: a page that has not changed is answered with status 304, and no body.
   */
  known?: Validators | undefined;
  /** Bytes. */
  max: number;
  /** Called before each request, also those a redirect leads to; what it throws ends the fetch. */
  before?(url: URL): Promise<void>;
  /** Decides by the head whether the body is worth reading; throws when it is not. */
  check?(head: { url: URL; status: number; contentType: string; retryAfter: number | undefined }): void;
}

const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 10_000;

/** @throws {CrawlError} */
export async function fetchFrom(start: string, options: FetchOptions, rules: FetchRules): Promise<Fetched> {
  const url = requireWebUrl(start);
  return await withinTime(rules, (signal) => follow(url, options, { ...rules, signal }));
}

/** @throws {CrawlError} */
export function requireWebUrl(text: string): URL {
  const url = parseWebUrl(text);
  if (!url) throw new CrawlError('bad-url', `${text.slice(0, 200)} is no http or https address.`);
  return url;
}

/** @param work Is to end when the signal comes. */
export async function withinTime<T>(
  rules: Pick<FetchRules, 'timeout' | 'stop'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timer = new AbortController();
  const abort = () => timer.abort();
  const timeout = setTimeout(abort, rules.timeout ?? TIMEOUT_MS);
  rules.stop?.addEventListener('abort', abort);
  if (rules.stop?.aborted) abort();
  try {
    return await work(timer.signal);
  } finally {
    clearTimeout(timeout);
    rules.stop?.removeEventListener('abort', abort);
  }
}

async function follow(
  start: URL,
  options: FetchOptions,
  rules: FetchRules & { signal: AbortSignal },
): Promise<Fetched> {
  let url = start;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    if (options.site === undefined) requireWebPort(url, rules.anyPort);
    else requireOwn(url, options.site, rules.anyPort);
    await options.before?.(url);
    // What is known is known of the first address, not of where it leads.
    const answer = await ask(url, { accept: options.accept, known: hops === 0 ? options.known : undefined }, rules);
    try {
      const next = redirectOf(answer, url);
      if (next === undefined) return await take(answer, { url, options, signal: rules.signal });
      url = next;
    } finally {
      answer.destroy();
    }
  }
  throw new CrawlError('too-many-redirects', `${start.href} leads on more than ${MAX_REDIRECTS} times.`);
}

/** The site's own hosts, on the web's own ports unless the site names another. */
function requireOwn(url: URL, site: FetchedSite, anyPort: boolean): void {
  if (!belongsToSite(url, site)) throw new CrawlError('foreign-host', `${url.host} is no host of ${site.id}.`);
  const named = site.domains.some((domain) => domain === url.host || url.host.endsWith(`.${domain}`));
  if (!isWebPort(url) && !named && !anyPort)
    throw new CrawlError('foreign-host', `${url.host} is no host of ${site.id}: its port is not named.`);
}

export function requireWebPort(url: URL, anyPort: boolean): void {
  if (!isWebPort(url) && !anyPort)
    throw new CrawlError('foreign-host', `${url.host}: only ports 80 and 443 are asked.`);
}

const isWebPort = ({ port }: URL): boolean => ['', '80', '443'].includes(port);

/** One request to an address that the rules allow; no redirect is followed. @throws {CrawlError} */
export async function ask(
  url: URL,
  options: Pick<FetchOptions, 'accept' | 'known'> & { message?: Message },
  rules: FetchRules & { signal: AbortSignal },
): Promise<IncomingMessage> {
  const { signal, userAgent } = rules;
  try {
    const addresses = await before(signal, checkedAddresses(url, rules));
    return await request(url, { ...options, addresses, userAgent, signal });
  } catch (error) {
    throw asCrawlError(error, url, signal);
  }
}

const NOTHING: Received = { bytes: Buffer.alloc(0), cut: false };

async function take(
  answer: IncomingMessage,
  { url, options, signal }: { url: URL; options: FetchOptions; signal: AbortSignal },
): Promise<Fetched> {
  const status = answer.statusCode ?? 0;
  const contentType = answer.headers['content-type'] ?? '';
  const unchanged = status === 304 && options.known !== undefined;
  if (!unchanged) options.check?.({ url, status, contentType, retryAfter: retryAfterOf(answer) });
  const received = unchanged ? NOTHING : await receive(answer, { max: options.max, url, signal });
  const { 'content-language': language, 'content-security-policy': policies } = answer.headers;
  const policy = Array.isArray(policies) ? policies.join(', ') : policies;
  const validators = { etag: answer.headers.etag, lastModified: answer.headers['last-modified'] };
  return { ...received, url, status, contentType, language, validators, policy };
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, url: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return undefined;
  const leads = parseUrl(asWritten(headers.location), url.href);
  const next = leads && parseWebUrl(leads.href);
  if (!next) throw new CrawlError('bad-url', `${url.href} leads to what is no http or https address.`);
  return next;
}

/** Node reads headers as Latin-1; servers that do not escape an address write it in UTF-8, as browsers read it. */
function asWritten(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}

/** Seconds only: a date would need a clock here. */
function retryAfterOf({ headers }: IncomingMessage): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) * 1000 : undefined;
}

/** A look-up cannot be called off, but it need not be waited for. */
function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((done, fail) => {
    const late = () => fail(signal.reason);
    if (signal.aborted) late();
    else signal.addEventListener('abort', late, { once: true });
    // Where it is too late already, too: a failure that nothing handles ends the server.
    work.then(done, fail).finally(() => signal.removeEventListener('abort', late));
  });
}
