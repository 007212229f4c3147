// Quotas of a site; 0 stands for none. Sites that are there have none.
import type { Migration } from './migration.ts';

const column = (name: string, after: string) =>
  `ALTER TABLE sites ADD COLUMN IF NOT EXISTS ${name} UInt64 DEFAULT 0 AFTER ${after}`;

export const siteQuotas: Migration = {
  version: 18,
  name: 'quotas of sites',
  statements: [
    column('keep_events', 'retiring'),
    column('max_events_per_day', 'keep_events'),
    column('max_posts', 'max_events_per_day'),
    column('max_disk', 'max_posts'),
  ],
};
