// Which copies of the server share the database now: one of them reads the pages of a host.
import type { Migration } from './migration.ts';

// Heartbeats, by the clock of the engine: those of the copies differ. What is lost with the power is written again
// seconds later.
const copies = `
CREATE TABLE IF NOT EXISTS copies (
  name String,
  gone Bool,
  seen_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
) ENGINE = ReplacingMergeTree(seen_at) ORDER BY name
TTL toDateTime(seen_at) + INTERVAL 1 DAY`;

export const copiesOfServer: Migration = {
  version: 17,
  name: 'copies of the server',
  statements: [copies],
};
