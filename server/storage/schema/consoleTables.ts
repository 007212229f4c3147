// Tables of the console: who is signed in, links to one view of it, annotations of its curves, what the mix dial gives,
// and the token of its operator.
import { since, TEXT } from './records.ts';
import type { Table } from './table.ts';

/** Who is signed in to the console, on any copy of the server: by the hash of the session's id. */
export const CONSOLE_SESSIONS: Table = {
  name: 'console_sessions',
  columns: {
    session: 'String',
    site: 'LowCardinality(String)',
    // An operator's session names no site.
    role: `Enum8('read' = 1, 'act' = 2, 'operator' = 3)`,
    // Of the secret that opened it.
    secret_hash: 'String',
    until: 'UInt64',
    updated_at: 'UInt64',
    deleted: 'UInt8',
  },
  engine: 'ReplacingMergeTree',
  versions: ['updated_at', 'deleted'],
  orderBy: ['session'],
  ttl: since('until', '1 DAY'),
  inserts: 'durable',
};

/** Links that show one view of the console, by the hash of what opens each. */
export const SHARED_VIEWS: Table = {
  name: 'shared_views',
  columns: {
    hash: 'String',
    // Names it in lists and addresses; opens nothing.
    id: 'String',
    site: 'LowCardinality(String)',
    name: 'String',
    // The query of an address of the console.
    search: 'String',
    // Of the write secret, or the operator's token, that it was made with.
    secret_hash: 'String',
    created_at: 'UInt64',
    until: 'UInt64',
    updated_at: 'UInt64',
    deleted: 'UInt8',
  },
  engine: 'ReplacingMergeTree',
  versions: ['updated_at', 'deleted'],
  orderBy: ['hash'],
  ttl: since('until', '1 DAY'),
  inserts: 'durable',
};

/** What sites write beside their curves. They are few: a site keeps a bounded number. */
export const ANNOTATIONS: Table = {
  name: 'annotations',
  columns: {
    site: 'LowCardinality(String)',
    id: 'String',
    at: 'UInt64',
    kind: 'LowCardinality(String)',
    label: 'String',
    // Of the post that it is about; empty: the whole site.
    url: 'String',
    updated_at: 'UInt64',
    deleted: 'UInt8',
  },
  engine: 'ReplacingMergeTree',
  versions: ['updated_at', 'deleted'],
  orderBy: ['site', 'id'],
  inserts: 'durable',
};

/** What the mix dial gives on the views of each site: how the last measurement stands, and what one before it found. */
export const FRONTIERS: Table = {
  name: 'frontiers',
  columns: {
    site: 'LowCardinality(String)',
    // JSON of a record of /frontier.
    record: TEXT,
    updated_at: 'UInt64',
  },
  engine: 'ReplacingMergeTree',
  versions: ['updated_at'],
  orderBy: ['site'],
  inserts: 'durable',
};

/** The token that opens the console for all sites. */
export const OPERATOR_TOKENS: Table = {
  name: 'operator_tokens',
  columns: {
    name: 'String',
    // SHA-256 of the token.
    hash: 'String',
    created_at: 'UInt64',
    updated_at: 'UInt64',
    deleted: 'UInt8',
  },
  engine: 'ReplacingMergeTree',
  versions: ['updated_at', 'deleted'],
  orderBy: ['name'],
  inserts: 'durable',
};
