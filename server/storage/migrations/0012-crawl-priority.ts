// Which page is read first: by how many networks of readers saw it.
import type { Migration } from './migration.ts';

export const crawlPriority: Migration = {
  version: 12,
  name: 'priority of pages to be crawled',
  statements: ['ALTER TABLE crawl_queue ADD COLUMN IF NOT EXISTS priority UInt16 DEFAULT 1'],
};
