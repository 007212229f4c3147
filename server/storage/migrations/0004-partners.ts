// Partners, who make sites for their customers, and which sites each of them made.
import { DURABLE } from './0001-tables.ts';
import type { Migration } from './migration.ts';

const partners = `
CREATE TABLE IF NOT EXISTS partners (
  partner String,
  secret_hash String,
  created_at UInt64,
  updated_at UInt64,
  deleted UInt8
) ENGINE = ReplacingMergeTree(updated_at, deleted) ORDER BY partner SETTINGS ${DURABLE}`;

const partnerSites = `
CREATE TABLE IF NOT EXISTS partner_sites (
  partner String,
  site LowCardinality(String),
  created_at UInt64
) ENGINE = ReplacingMergeTree(created_at) ORDER BY (partner, site) SETTINGS ${DURABLE}`;

export const partnersStep: Migration = {
  version: 4,
  name: 'partners and the sites they made',
  statements: [partners, partnerSites],
};
