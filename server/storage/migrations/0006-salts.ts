// The salt of the day, agreed on by the copies of the server that share a database.
import { ONCE } from './0001-tables.ts';
import type { Migration } from './migration.ts';

// Erased by the servers when the day is over; by the engine itself an hour later, should none of them run. What is
// erased leaves the disk within a minute, not with the next merge.
const salts = `
CREATE TABLE IF NOT EXISTS salts (
  day Date,
  salt String
) ENGINE = ReplacingMergeTree ORDER BY day
TTL toDateTime(day, 'UTC') + INTERVAL 25 HOUR
SETTINGS ${ONCE}, merge_with_ttl_timeout = 600, old_parts_lifetime = 60`;

export const sharedSalt: Migration = {
  version: 6,
  name: 'salt of the day, shared by copies of the server',
  statements: [salts],
};
