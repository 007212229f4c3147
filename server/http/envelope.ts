// The envelope of every list: records, metrics, and absolute links to the neighbouring pages.
//
//   return send(c, envelope({ data, meta, more, page, limit, address }));   where address = addressOf(c, deps.settings)
import type { Context } from 'hono';
import { MAX_RECORDS } from '../contract/limits.ts';
import type { Envelope, Links } from '../contract/wire.ts';
import { bearerOf } from './auth.ts';

export interface PageOf<T> {
  data: T[];
  meta: Envelope<T>['meta'];
  /** Whether records follow those of this page. */
  more: boolean;
  page: number;
  limit: number;
  /** The URL of the request, as `addressOf` returns it. */
  address: URL;
  /**
   * Parameters of the next page that are relative to now in this request. They are pinned, so that pages do not overlap
   * while traffic is counted.
   */
  pins?: Readonly<Record<string, string>>;
}

/** Number of records up to the end of a page. The page that exceeds the maximum is truncated there. */
export const reachOf = ({ limit, page }: { limit: number; page: number }): number =>
  Math.min(limit * page, MAX_RECORDS);

export function envelope<T>(content: PageOf<T>): Envelope<T> {
  const { data, meta, page, limit } = content;
  const cut = data.slice(0, MAX_RECORDS - (page - 1) * limit);
  return { data: cut, meta, links: linksOf(content), success: true };
}

function linksOf({ data, more, page, limit, address, pins }: PageOf<unknown>): Links {
  const next = more && limit * page < MAX_RECORDS ? toPage(address, page + 1, pins) : null;
  // A page without records lies beyond the last one, which is unknown: the link leads to the first.
  const prev = data.length === 0 ? 1 : page - 1;
  return { first: toPage(address, 1), next, ...(page > 1 && { prev: toPage(address, prev) }) };
}

/** The same URL with another page: every other parameter is copied unchanged, including a secret, as clients expect. */
function toPage(address: URL, page: number, pins: Readonly<Record<string, string>> = {}): string {
  const link = new URL(address);
  for (const [name, value] of Object.entries(pins)) link.searchParams.set(name, value);
  link.searchParams.set('page', String(page));
  return link.href;
}

/**
 * URL of the request on the configured public origin, else on the host of the request. A request authenticated by its
 * header has links without a secret.
 */
export function addressOf(c: Context, settings: { publicUrl: string | undefined }): URL {
  const asked = new URL(c.req.url);
  if (bearerOf(c) !== undefined) asked.searchParams.delete('secret');
  return settings.publicUrl === undefined ? asked : new URL(asked.pathname + asked.search, settings.publicUrl);
}
