// What the engine merges is on the disk before the pieces it was made of are taken away. Inserts always were; a merged
// piece waited for the operating system, which takes up to half a minute, and the engine inside keeps no piece that
// long: the power failing then would have taken acknowledged events with it.
import { ROLL_UPS } from './0009-quicker-edges.ts';
import type { Migration } from './migration.ts';

const TABLES = [
  ...['sites', 'events', 'posts', 'aliases', 'exclusions', 'profile_visits', 'visitors'],
  ...['crawl_queue', 'partners', 'partner_sites', 'salts', 'post_vectors'],
  ...ROLL_UPS,
];

export const durableMerges: Migration = {
  version: 10,
  name: 'merged pieces are synced',
  statements: TABLES.map((table) => `ALTER TABLE ${table} MODIFY SETTING min_rows_to_fsync_after_merge = 1`),
};
