// Referrers that a site sorts by rules of its own. Sites that are there have none.
import type { Migration } from './migration.ts';

const column = `
ALTER TABLE sites ADD COLUMN IF NOT EXISTS referrers Array(Tuple(host String, category LowCardinality(String))) AFTER domains`;

export const referrerRules: Migration = {
  version: 14,
  name: "a site's own rules for referrers",
  statements: [column],
};
