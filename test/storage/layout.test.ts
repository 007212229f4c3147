// What becomes of a table and of a statement on a cluster.
import { expect, test } from 'vitest';
import { toClusterStatements } from '../../server/storage/layout.ts';
import { SCHEMA } from '../../server/storage/schema/schema.ts';
import { SERVER_TABLES } from '../../server/storage/schema/serverTables.ts';
import { createStatements } from '../../server/storage/schema/statements.ts';
import type { Table } from '../../server/storage/schema/table.ts';

const layout = { cluster: 'newsroom', replicated: false };

const pages: Table = {
  name: 'pages',
  columns: { site: 'String', url: 'String', seen: { type: 'UInt64', codec: 'ZSTD(1)' }, gone: 'UInt8' },
  engine: 'ReplacingMergeTree',
  versions: ['seen', 'gone'],
  orderBy: ['site', 'url'],
  inserts: 'durable',
};

const days: Table = {
  name: 'days',
  columns: { site: 'String', day: 'Date', views: 'UInt64' },
  engine: 'SummingMergeTree',
  period: 'day',
  orderBy: ['site', 'day'],
  inserts: 'once',
  views: [
    {
      name: 'days_of_pages',
      from: 'pages',
      select: 'site, toDate(pages.seen) AS day, count() AS views',
      where: 'pages.seen != 0',
      groupBy: 'site, day',
    },
  ],
};

test('a table with versions is spread by its order, a roll-up is made by the shard that has its rows', () => {
  expect(createStatements([pages, days], layout)).toEqual([
    `CREATE TABLE IF NOT EXISTS pages_local (
  site String,
  url String,
  seen UInt64 CODEC(ZSTD(1)),
  gone UInt8
)
ENGINE = ReplacingMergeTree(seen, gone)
ORDER BY (site, url)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`,
    `CREATE TABLE IF NOT EXISTS pages AS pages_local
ENGINE = Distributed('newsroom', currentDatabase(), 'pages_local', sipHash64((site, url)))`,
    `CREATE TABLE IF NOT EXISTS days_local (
  site String,
  day Date,
  views UInt64
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (site, day)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1, min_rows_to_fsync_after_merge = 1`,
    `CREATE TABLE IF NOT EXISTS days AS days_local
ENGINE = Distributed('newsroom', currentDatabase(), 'days_local')`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS days_of_pages TO days_local AS
SELECT site, toDate(pages.seen) AS day, count() AS views
FROM pages_local AS pages
WHERE pages.seen != 0
GROUP BY site, day`,
  ]);
});

test('with copies, each table of a shard knows the others by its path, and compares no contents', () => {
  const [page, , day] = createStatements([pages, days], { ...layout, replicated: true });
  const copy = `'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'`;
  expect(page).toContain(`ENGINE = ReplicatedReplacingMergeTree(${copy}, seen, gone)\n`);
  expect(page).toContain('replicated_deduplication_window = 0, replicated_deduplication_window_seconds = 604800, ');
  expect(day).toContain(`ENGINE = ReplicatedSummingMergeTree(${copy})\n`);
  expect(day).toContain('replicated_deduplication_window = 10000, ');
});

test('whatever keeps rows is kept by each shard, and read by it alone; what a server says of itself is its own', () => {
  const own = createStatements(SERVER_TABLES);
  expect(createStatements(SERVER_TABLES, { ...layout, replicated: true })).toEqual(own);
  for (const sql of createStatements(SCHEMA.tables, layout))
    if (!sql.includes('ENGINE = Distributed'))
      expect(sql).not.toMatch(/(?:CREATE TABLE IF NOT EXISTS| TO|FROM) (?!\w*_local\b)\w+/);
});

test.each([
  [
    'ALTER TABLE posts ADD COLUMN IF NOT EXISTS sent String',
    [
      'ALTER TABLE posts_local ADD COLUMN IF NOT EXISTS sent String',
      'ALTER TABLE posts ADD COLUMN IF NOT EXISTS sent String',
    ],
  ],
  [
    'ALTER TABLE days ADD COLUMN IF NOT EXISTS host String AFTER a, MODIFY ORDER BY (a, host)',
    [
      'ALTER TABLE days_local ADD COLUMN IF NOT EXISTS host String AFTER a, MODIFY ORDER BY (a, host)',
      'ALTER TABLE days ADD COLUMN IF NOT EXISTS host String AFTER a',
    ],
  ],
  [
    `ALTER TABLE events MODIFY COLUMN kind Enum8('a' = 1)`,
    [
      `ALTER TABLE events_local MODIFY COLUMN kind Enum8('a' = 1)`,
      `ALTER TABLE events MODIFY COLUMN kind Enum8('a' = 1)`,
    ],
  ],
  ['ALTER TABLE posts DELETE WHERE 1', ['ALTER TABLE posts_local DELETE WHERE 1']],
  ['ALTER TABLE schema_version DELETE WHERE 1', undefined],
  ['CREATE TABLE IF NOT EXISTS unfinished_restore (started UInt64) ENGINE = MergeTree ORDER BY started', undefined],
  ['DROP VIEW IF EXISTS days_of_pages', undefined],
  ['DROP TABLE IF EXISTS days', ['DROP TABLE IF EXISTS days', 'DROP TABLE IF EXISTS days_local']],
  [
    'INSERT INTO days SELECT site, day FROM events WHERE events.post != 0',
    ['INSERT INTO days_local SELECT site, day FROM events_local AS events WHERE events.post != 0'],
  ],
])('%s', (sql, expected) => {
  expect(toClusterStatements(sql)).toEqual(expected ?? [sql]);
});

test.each([
  'DROP TABLE posts',
  'INSERT INTO posts VALUES (1)',
  'OPTIMIZE TABLE posts',
  'CREATE TABLE IF NOT EXISTS pages (a Int8) ENGINE = MergeTree ORDER BY a',
])('%s is refused', (sql) => {
  expect(() => toClusterStatements(sql)).toThrow('Not a statement for a cluster');
});
