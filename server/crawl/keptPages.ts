// Pages as they were read last, in bounded memory: what has not changed within its first day need not be sent and read
// again. A server that restarts reads them once more.
import { LRUCache } from 'lru-cache';
import type { CrawledPage } from './readSitePage.ts';
import type { Validators } from './request.ts';

export interface KeptPages {
  get(url: string): { page: CrawledPage; validators: Validators } | undefined;
  /** Deletes the entry when the server sends no validator (ETag, Last-Modified). */
  set(url: string, page: CrawledPage, validators: Validators): void;
}

/** Characters of all texts kept. */
const MAX_KEPT = 16_000_000;
const MAX_PAGES = 5_000;

export function createKeptPages(): KeptPages {
  const pages = new LRUCache<string, { page: CrawledPage; validators: Validators }>({
    max: MAX_PAGES,
    maxSize: MAX_KEPT,
    sizeCalculation: ({ page }) => 2_000 + page.patch.fullContent.length,
  });
  return {
    get: (url) => pages.get(url),
    set(url, page, validators) {
      // An address that leads elsewhere has no page of its own.
      const tells = validators.etag !== undefined || validators.lastModified !== undefined;
      if (tells && page.fetched === url) pages.set(url, { page, validators });
      else pages.delete(url);
    },
  };
}
