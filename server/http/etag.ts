// Entity tags: a name for exactly these bytes, and whether a client has them already.
import { hash } from 'node:crypto';

/** @returns The tag without quotes, for variants to be told apart by a suffix. */
export const hashOf = (bytes: Uint8Array | string): string => hash('sha256', bytes, 'base64url').slice(0, 22);

/** The tag of the same bytes in a coding: `"abc"` → `"abc-br"`. */
export const etagOf = (etag: string, coding: string | undefined): string =>
  coding === undefined ? etag : `${etag.slice(0, -1)}-${coding}"`;

/** Whether `If-None-Match` names a tag; proxies that recompress make it a weak one. */
export function isFresh(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag);
}
