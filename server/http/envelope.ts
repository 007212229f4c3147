// The envelope of every list: records, what was measured, and absolute links to the neighbouring pages.
//
//   return send(c, envelope({ data, meta, more, page, limit, address }));   where address = addressOf(c, deps.settings)
import type { Context } from 'hono';
import { MAX_RECORDS } from '../contract/limits.ts';
import type { Envelope, Links } from '../contract/wire.ts';

export interface PageOf<T> {
  data: T[];
  meta?: Envelope<T>['meta'];
  /** Whether records follow those of this page. */
  more: boolean;
  page: number;
  limit: number;
  /** The request's own address, as `addressOf` tells it. */
  address: URL;
}

export function envelope<T>(of: PageOf<T>): Envelope<T> {
  const { data, meta } = of;
  return { data, ...(meta && { meta }), links: linksOf(of), success: true };
}

function linksOf({ more, page, limit, address }: PageOf<unknown>): Links {
  const next = more && (page + 1) * limit <= MAX_RECORDS ? toPage(address, page + 1) : null;
  return { first: toPage(address, 1), next, ...(page > 1 && { prev: toPage(address, page - 1) }) };
}

/** The same request with another page: every other parameter is replayed as it came, the secret too, as clients expect. */
function toPage(address: URL, page: number): string {
  const link = new URL(address);
  link.searchParams.set('page', String(page));
  return link.href;
}

/** Address of the request on the configured public origin, else on the host it was sent to. */
export function addressOf(c: Context, settings: { publicUrl: string | undefined }): URL {
  const asked = new URL(c.req.url);
  return settings.publicUrl === undefined ? asked : new URL(asked.pathname + asked.search, settings.publicUrl);
}
