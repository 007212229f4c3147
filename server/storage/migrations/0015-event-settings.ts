// What a site takes from its events beside views: metadata of posts, and keys of `data` that name segments. Sites that
// are there take neither, as before.
import type { Migration } from './migration.ts';

const metadata = `
ALTER TABLE sites ADD COLUMN IF NOT EXISTS event_metadata Bool DEFAULT false AFTER feature_search`;
const segmentKeys = `
ALTER TABLE sites ADD COLUMN IF NOT EXISTS segment_keys Array(String) AFTER event_metadata`;

export const eventSettings: Migration = {
  version: 15,
  name: 'metadata and segments from events',
  statements: [metadata, segmentKeys],
};
