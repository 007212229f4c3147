// A switch for /search, which answers without a secret. Sites that are there keep answering it.
import type { Migration } from './migration.ts';

const column = `
ALTER TABLE sites ADD COLUMN IF NOT EXISTS feature_search Bool DEFAULT true AFTER feature_recommendations`;

export const searchSwitch: Migration = {
  version: 11,
  name: 'a switch for /search',
  statements: [column],
};
