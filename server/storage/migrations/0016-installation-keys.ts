// Keys that the copies of the server share: the one that signs the addresses of thumbnails.
import { ONCE } from './0001-tables.ts';
import type { Migration } from './migration.ts';

const keys = `
CREATE TABLE IF NOT EXISTS installation_keys (
  name String,
  secret String
) ENGINE = ReplacingMergeTree ORDER BY name
SETTINGS ${ONCE}, min_rows_to_fsync_after_merge = 1`;

export const installationKeys: Migration = {
  version: 16,
  name: 'keys of the installation',
  statements: [keys],
};
