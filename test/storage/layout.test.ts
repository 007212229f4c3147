// What becomes of a statement in a cluster: every one of the schema's history, and those of another kind.
import { expect, test } from 'vitest';
import { toClusterStatements, toJoiningStatement } from '../../server/storage/layout.ts';
import { migrations } from '../../server/storage/migrations/index.ts';

const layout = { cluster: 'newsroom', replicated: false };
const statements = migrations.flatMap(({ statements }) => statements);

test('every statement of the schema is understood', () => {
  for (const sql of statements) expect(() => toClusterStatements(sql, layout)).not.toThrow();
});

test('whatever keeps rows is kept by each shard, and read by it alone', () => {
  for (const sql of statements) {
    const [kept] = toClusterStatements(sql, layout);
    expect(kept).not.toMatch(/(?:CREATE TABLE IF NOT EXISTS|ALTER TABLE|INSERT INTO| TO|FROM) (?!\w*_local\b)\w+/);
  }
});

test.each([
  [
    'CREATE TABLE IF NOT EXISTS sites (site String) ENGINE = ReplacingMergeTree(updated_at) ORDER BY site SETTINGS fsync_after_insert = 1',
    [
      'CREATE TABLE IF NOT EXISTS sites_local (site String) ENGINE = ReplacingMergeTree(updated_at) ORDER BY site SETTINGS fsync_after_insert = 1',
      `CREATE TABLE IF NOT EXISTS sites AS sites_local ENGINE = Distributed('newsroom', currentDatabase(), 'sites_local', sipHash64(site))`,
    ],
  ],
  [
    'CREATE TABLE IF NOT EXISTS days (site String) ENGINE = SummingMergeTree ORDER BY site',
    [
      'CREATE TABLE IF NOT EXISTS days_local (site String) ENGINE = SummingMergeTree ORDER BY site',
      `CREATE TABLE IF NOT EXISTS days AS days_local ENGINE = Distributed('newsroom', currentDatabase(), 'days_local')`,
    ],
  ],
  [
    'CREATE MATERIALIZED VIEW IF NOT EXISTS v TO days AS SELECT site FROM events WHERE events.post != 0',
    [
      'CREATE MATERIALIZED VIEW IF NOT EXISTS v TO days_local AS SELECT site FROM events_local AS events WHERE events.post != 0',
    ],
  ],
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
  ['CREATE TABLE IF NOT EXISTS migrations (version UInt32) ENGINE = MergeTree ORDER BY version', undefined],
])('%s', (sql, expected) => {
  expect(toClusterStatements(sql, layout)).toEqual(expected ?? [sql]);
});

test('with copies, each table of a shard knows the others by its path', () => {
  const sql =
    'CREATE TABLE IF NOT EXISTS posts (a Int8) ENGINE = ReplacingMergeTree(updated_at, deleted) ORDER BY a SETTINGS b = 1';
  expect(toClusterStatements(sql, { ...layout, replicated: true })[0]).toBe(
    `CREATE TABLE IF NOT EXISTS posts_local (a Int8) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', updated_at, deleted) ORDER BY a SETTINGS replicated_deduplication_window = 0, replicated_deduplication_window_seconds = 604800, b = 1`,
  );
});

test.each(['DROP TABLE posts', 'INSERT INTO posts VALUES (1)', 'OPTIMIZE TABLE posts'])('%s is refused', (sql) => {
  expect(() => toClusterStatements(sql, layout)).toThrow('Not a statement for a cluster');
});

test('a server that joins takes the columns a table has by now', () => {
  const [kept] = toClusterStatements(
    'CREATE TABLE IF NOT EXISTS posts (\n  a UInt64 DEFAULT if(b, (1), 2),\n  b Bool\n) ENGINE = MergeTree ORDER BY a SETTINGS b = 1',
    { ...layout, replicated: true },
  );
  expect(toJoiningStatement(kept!)).toMatch(
    /^CREATE TABLE IF NOT EXISTS posts_local ENGINE = ReplicatedMergeTree\('.*'\) ORDER BY a SETTINGS /,
  );
  for (const sql of statements.flatMap((one) => toClusterStatements(one, { ...layout, replicated: true }))) {
    expect(toJoiningStatement(sql) !== undefined, sql).toBe(/ENGINE = Replicated/.test(sql));
  }
  expect(
    toJoiningStatement('CREATE TABLE IF NOT EXISTS a_local (b UInt8) ENGINE = MergeTree ORDER BY b'),
  ).toBeUndefined();
});
