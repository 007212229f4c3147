// Tables of messages about sites and of the attempts to send them.
import { since, TEXT } from './records.ts';
import type { Table } from './table.ts';

/** Alarms and morning pages of sites, and alarms of the server itself, whose site is "". */
export const MESSAGES: Table = {
  name: 'messages',
  columns: {
    site: 'LowCardinality(String)',
    id: 'String',
    kind: 'LowCardinality(String)',
    at: 'UInt64',
    text: TEXT,
    // JSON.
    data: TEXT,
    // When it is given up.
    until: 'UInt64',
  },
  engine: 'ReplacingMergeTree',
  orderBy: ['site', 'id'],
  ttl: since('at', '90 DAY'),
  inserts: 'durable',
};

/**
 * Attempts to send a message to a receiver. Who makes one stores a row before: of several copies that store the same
 * attempt, the engine takes the first row.
 */
export const MESSAGE_ATTEMPTS: Table = {
  name: 'message_attempts',
  columns: {
    site: 'LowCardinality(String)',
    message: 'String',
    receiver: 'String',
    // From 1.
    attempt: 'UInt16',
    // The process that makes it.
    claimant: 'String',
    at: 'UInt64',
    // 0: it is under way, or its process has ended meanwhile.
    ended_at: 'UInt64',
    outcome: 'LowCardinality(String)',
    // Why it failed.
    why: 'String',
  },
  engine: 'ReplacingMergeTree',
  versions: ['ended_at'],
  orderBy: ['site', 'message', 'receiver', 'attempt'],
  ttl: since('at', '90 DAY'),
  inserts: 'once',
};
