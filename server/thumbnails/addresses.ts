// Addresses of thumbnails. Each carries the address of its picture, and a signature that only this installation can
// make: what the server did not name itself is not fetched.
//
//   /thumb/<site>/<signature>/<size>?of=<picture>
import { createHmac, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { parseWebUrl } from '../posts/canonicalUrl.ts';
import type { SiteId } from '../sites/site.ts';
import { isTimingSafeEqual } from '../timingSafe.ts';
import { MEDIUM } from './variants.ts';

/** Characters of base64url: 132 bits. */
const SIGNATURE_LENGTH = 22;
/** Longer addresses of pictures have no thumbnail: with the escapes of a query they would burst a request's head. */
const MAX_PICTURE_LENGTH = 2_048;
/** Bytes of addresses that were made lately: lists name the same pictures again and again. */
const MAX_CACHE_BYTES = 8 * 1024 * 1024;

export interface ThumbnailAddresses {
  /**
   * Path and query of the medium thumbnail; undefined where the picture's address is no http or https URL of usual
   * length, or is that of an SVG, which is shown as it is.
   */
  pathOf(site: SiteId, picture: string): string | undefined;
  /** Whether a signature was made by `pathOf`, of this or another copy of the server. */
  isSigned(site: SiteId, picture: string, signature: string): boolean;
}

export function createThumbnailAddresses(key: KeyObject): ThumbnailAddresses {
  const paths = new LRUCache<string, string>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: (path, subject) => (path.length + subject.length) * 2 + 100,
  });

  function sign(subject: string): string {
    return createHmac('sha256', key).update(subject).digest('base64url').slice(0, SIGNATURE_LENGTH);
  }

  return {
    pathOf(site, picture) {
      const subject = subjectOf(site, picture);
      const known = paths.get(subject);
      if (known !== undefined) return known;
      if (picture.length > MAX_PICTURE_LENGTH) return undefined;
      const address = parseWebUrl(picture);
      if (address === undefined || /\.svg$/i.test(address.pathname)) return undefined;
      const path = `/thumb/${site}/${sign(subject)}/${MEDIUM}?of=${encodeURIComponent(picture)}`;
      paths.set(subject, path);
      return path;
    },

    isSigned: (site, picture, signature) => isTimingSafeEqual(signature, sign(subjectOf(site, picture))),
  };
}

/** A Site ID has no line break. */
const subjectOf = (site: SiteId, picture: string): string => `${site}\n${picture}`;
