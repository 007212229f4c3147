// A sitemap or feed of a site, fetched by the rules of its pages: only the site's hosts, only public addresses,
// robots.txt obeyed, bounded in bytes as it travels and as it unfolds.
import { setImmediate } from 'node:timers/promises';
import { MINUTE } from '../../durations.ts';
import { belongsToSite } from '../../ingest/siteHosts.ts';
import { toPageUrl } from '../../posts/canonicalUrl.ts';
import { parseUrl } from '../../posts/parseUrl.ts';
import { webUrl } from '../../posts/readPage/clean.ts';
import { encodingOf } from '../../posts/readPage/decodePage.ts';
import type { Site } from '../../sites/site.ts';
import { type FetchOptions, type FetchRules, fetchFrom } from '../fetchPage.ts';
import { gunzip } from '../receive.ts';
import type { Robots } from '../robots.ts';
import { parseSitemap } from './parseSitemap.ts';
import { type SitemapEntry, SitemapError, type SitemapFile } from './sitemapFile.ts';

export interface ReadSitemap extends SitemapFile {
  /** Where it was read, after redirects. */
  fetched: string;
  bytes: number;
  /** Entries left out: of hosts that are not the site's, and those whose address is none. */
  foreign: number;
  malformed: number;
}

export interface SitemapReader {
  rules: FetchRules;
  robots: Robots;
}

/** The protocol's own bound, packed and unpacked. */
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
/** Large files are written by the publisher's database while they are sent. */
const TIMEOUT_MS = MINUTE;
/** Bytes decoded and parsed before the event loop has its turn: a few milliseconds. */
const SLICE = 64 * 1024;
/** Entries whose addresses are looked at before the event loop has its turn. */
const ENTRIES_PER_TURN = 500;

/** @throws {CrawlError} when it cannot be fetched. @throws {SitemapError} when it is no sitemap and no feed. */
export async function readSitemap(
  site: Pick<Site, 'id' | 'domains'>,
  url: string,
  { rules, robots }: SitemapReader,
): Promise<ReadSitemap> {
  const options: FetchOptions = {
    site,
    accept: 'application/xml, text/xml, application/rss+xml, application/atom+xml, application/feed+json, */*;q=0.5',
    max: MAX_SITEMAP_BYTES,
    before: (address) => robots.require(address),
    check: requireFound,
  };
  const answer = await fetchFrom(url, options, { ...rules, timeout: TIMEOUT_MS });
  const { bytes, cut } = isGzip(answer.bytes) ? await gunzip(answer, { max: options.max, url: answer.url }) : answer;
  const file = await parse(bytes, { url: answer.url, contentType: answer.contentType });
  return {
    format: file.format,
    notes: cut ? [`Only its first ${MAX_SITEMAP_BYTES / 1024 / 1024} MiB were read.`, ...file.notes] : file.notes,
    fetched: answer.url.href,
    bytes: bytes.length,
    ...(await ownEntries(file, { base: answer.url.href, site })),
  };
}

function requireFound({ url, status }: Parameters<NonNullable<FetchOptions['check']>>[0]): void {
  if (status !== 200) throw new SitemapError(`${url.href} answers ${status}: there is no sitemap and no feed to read.`);
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

async function parse(bytes: Buffer, { url, contentType }: { url: URL; contentType: string }): Promise<SitemapFile> {
  try {
    return await parseSitemap(decoded(bytes, contentType));
  } catch (error) {
    if (!(error instanceof SitemapError)) throw error;
    throw new SitemapError(`${url.href} is no sitemap and no feed: ${error.message}.`);
  }
}

/** Yields to the event loop after each piece. */
async function* decoded(bytes: Buffer, contentType: string): AsyncIterable<string> {
  const decoder = decoderFor(encodingOf(bytes, contentType));
  for (let at = 0; at < bytes.length; at += SLICE) {
    yield decoder.decode(bytes.subarray(at, at + SLICE), { stream: true });
    await setImmediate();
  }
  yield decoder.decode();
}

function decoderFor(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SitemapError(`its encoding, ${encoding}, is not known here; UTF-8 is`);
  }
}

interface Owner {
  /** Relative addresses are completed with it. */
  base: string;
  site: Pick<Site, 'id' | 'domains'>;
}

async function ownEntries({ format, entries }: SitemapFile, owner: Owner) {
  const own: SitemapEntry[] = [];
  const left = { foreign: 0, malformed: 0 };
  for (const [index, entry] of entries.entries()) {
    const kept = ownEntry(entry, { ...owner, isPage: format !== 'sitemap index' });
    if (typeof kept === 'string') left[kept] += 1;
    else own.push(kept);
    if (index % ENTRIES_PER_TURN === 0) await setImmediate();
  }
  return { entries: own, ...left };
}

function ownEntry(
  entry: SitemapEntry,
  { base, site, isPage }: Owner & { isPage: boolean },
): SitemapEntry | 'foreign' | 'malformed' {
  const href = webUrl(entry.url, base);
  const address = href === undefined ? undefined : parseUrl(href);
  if (address === undefined) return 'malformed';
  if (!belongsToSite(address, site)) return 'foreign';
  // Tracking parameters make no other page; a sitemap may need every parameter it has.
  address.hash = '';
  const url = isPage ? toPageUrl(address) : address.href;
  return url === undefined ? 'malformed' : { ...entry, url };
}
