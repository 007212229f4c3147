// Vectors of posts, computed by the operator.
import { DURABLE } from './0001-tables.ts';
import type { Migration } from './migration.ts';

// A vector is a byte a dimension, as base64: an array of numbers is three times as long on its way here, and slow to
// read.
const postVectors = `
CREATE TABLE IF NOT EXISTS post_vectors (
  site LowCardinality(String),
  url String,
  dimension UInt16,
  vector String CODEC(ZSTD(1)),
  updated_at UInt64,
  deleted UInt8
) ENGINE = ReplacingMergeTree(updated_at, deleted) ORDER BY (site, url)
SETTINGS ${DURABLE}, index_granularity = 1024`;

export const vectorsOfPosts: Migration = {
  version: 8,
  name: 'vectors of posts',
  statements: [postVectors],
};
