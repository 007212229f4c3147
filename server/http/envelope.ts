// The envelope of every list: records, what was measured, and absolute links to the neighbouring pages.
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
  /** The request's own address, as `addressOf` gives it. */
  address: URL;
  /** Parameters of the next page that hang on now in this request: pinned, so that pages do not overlap under traffic. */
  pins?: Readonly<Record<string, string>>;
}

/** How many records from the first one a page reaches. The page that reaches over the last record is cut there. */
export const reachOf = ({ limit, page }: { limit: number; page: number }): number =>
  Math.min(limit * page, MAX_RECORDS);

export function envelope<T>(of: PageOf<T>): Envelope<T> {
  const { data, meta, page, limit } = of;
  const cut = data.slice(0, MAX_RECORDS - (page - 1) * limit);
  return { data: cut, meta, links: linksOf(of), success: true };
}

function linksOf({ data, more, page, limit, address, pins }: PageOf<unknown>): Links {
  const next = more && limit * page < MAX_RECORDS ? toPage(address, page + 1, pins) : null;
  // A page without records lies beyond the last one, which is not known: back to the first.
  const prev = data.length === 0 ? 1 : page - 1;
  return { first: toPage(address, 1), next, ...(page > 1 && { prev: toPage(address, prev) }) };
}

/** The same request with another page: every other parameter is replayed as it came, a secret too, as clients expect. */
function toPage(address: URL, page: number, pins: Readonly<Record<string, string>> = {}): string {
  const link = new URL(address);
  for (const [name, value] of Object.entries(pins)) link.searchParams.set(name, value);
  link.searchParams.set('page', String(page));
  return link.href;
}

/**
 * Address of the request on the configured public origin, else on the host it was sent to. A request that authenticates by its
 * header gets links without a secret.
 */
export function addressOf(c: Context, settings: { publicUrl: string | undefined }): URL {
  const asked = new URL(c.req.url);
  if (bearerOf(c) !== undefined) asked.searchParams.delete('secret');
  return settings.publicUrl === undefined ? asked : new URL(asked.pathname + asked.search, settings.publicUrl);
}
