// Pages as they were read last, in bounded memory: what has not changed within its first day need not be sent and read
// again. A server that restarts reads them once more.
import { LRUCache } from 'lru-cache';
import type { Site } from '../sites/site.ts';
import type { CrawledPage } from './readSitePage.ts';
import type { Validators } from './request.ts';

interface KeptPage {
  page: CrawledPage;
  validators: Validators;
}

/** Which addresses a page may name as its own depends on the site it was read for, and on its domains. */
type Reader = Pick<Site, 'id' | 'domains'>;

export interface KeptPages {
  get(site: Reader, url: string): KeptPage | undefined;
  /** Deletes the entry when the server sends no validator (ETag, Last-Modified). */
  set(site: Reader, url: string, kept: KeptPage): void;
}

/** Characters of all texts kept. */
const MAX_KEPT = 16_000_000;
const MAX_PAGES = 5_000;

export function createKeptPages(): KeptPages {
  const pages = new LRUCache<string, KeptPage>({
    max: MAX_PAGES,
    maxSize: MAX_KEPT,
    sizeCalculation: ({ page }) => 2_000 + page.patch.fullContent.length,
  });
  return {
    get: (site, url) => pages.get(keyOf(site, url)),
    set(site, url, kept) {
      const { page, validators } = kept;
      const key = keyOf(site, url);
      // An address that leads elsewhere has no page of its own.
      const hasValidator = validators.etag !== undefined || validators.lastModified !== undefined;
      if (hasValidator && page.fetched === url) pages.set(key, kept);
      else pages.delete(key);
    },
  };
}

const keyOf = ({ id, domains }: Reader, url: string): string => JSON.stringify([id, domains, url]);
