// Entity tags: a hash of the bytes of an answer, and the comparison with If-None-Match.
import { hash } from 'node:crypto';

/** For `Endpoint.statuses` of what has a tag. */
export const UNCHANGED = { 304: 'The one that the client has, as its If-None-Match says.' };

/** @returns The tag without quotes, so that variants can be distinguished by a suffix. */
export const hashOf = (bytes: Uint8Array | string): string => hash('sha256', bytes, 'base64url').slice(0, 22);

/** The tag of the same bytes in a content coding: `"abc"` → `"abc-br"`. */
export const etagOf = (etag: string, coding: string | undefined): string =>
  coding === undefined ? etag : `${etag.slice(0, -1)}-${coding}"`;

/** Whether `If-None-Match` contains a tag; proxies that recompress turn it into a weak one. */
export function isFresh(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag);
}
