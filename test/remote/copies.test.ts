// Two servers that keep one shard, with a real Keeper or ZooKeeper between them: AFTERWORD_TEST_KEEPER=127.0.0.1:2181. Skipped without,
// because nothing but npm packages is needed for `npm test`. The engine's library is no Keeper: its one entry, chdb_query_cmdline, is
// ClickHouse's command line for local files; `clickhouse keeper` and `clickhouse server` end there at once and open no port.
//
// This goes as far as the engine's library does: it makes replicated tables and registers them, but has no port by which one server
// fetches the rows of another, so it keeps them read-only (https://github.com/ClickHouse/ClickHouse/issues/78632). The last test says
// so; where it fails, the library has learnt it, and rows can be tested, too.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { SCHEMA } from '../../server/storage/schema/schema.ts';
import { createStatements } from '../../server/storage/schema/statements.ts';
import { type Cluster, startCopies } from '../support/clickhouse.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';

const KEEPER = process.env.AFTERWORD_TEST_KEEPER;

// Needs ClickHouse Keeper or ZooKeeper, which npm does not bring.
describe.skipIf(KEEPER === undefined)('two servers of a shard', () => {
  let cluster: Cluster;
  let engine: Engine;

  const address = () => ({ kind: 'remote' as const, urls: cluster.nodes.map(({ url }) => url), cluster: cluster.name });
  const onEach = (sql: string) => Promise.all(cluster.nodes.map((node) => node.ask(sql)));

  beforeAll(async () => {
    cluster = await startCopies([makeDataDir(), makeDataDir()], KEEPER!);
    engine = await connect(address());
  });
  afterAll(async () => {
    await engine?.close();
    await Promise.all((cluster?.nodes ?? []).map((node) => node.kill()));
    await removeDataDirs();
  });

  test('every table of the schema is made on both, and each knows of two copies', async () => {
    const { members, ...layout } = engine.cluster!;
    for (const member of members) for (const sql of createStatements(SCHEMA.tables, layout)) await member.command(sql);
    const [here, there] = await onEach(
      'SELECT groupArray((table, total_replicas)) FROM (SELECT * FROM system.replicas ORDER BY table)',
    );
    expect(here).toContain("('events_local',2)");
    expect(here).toContain("('post_days_local',2)");
    expect(here).not.toMatch(/',1\)/);
    expect(there).toBe(here);
    expect(await onEach('SELECT replica_name FROM system.replicas LIMIT 1')).toEqual(['copy-1', 'copy-2']);
  });

  test('rows cannot be kept by this library: its tables stay read-only, and it says why', async () => {
    expect(await onEach('SELECT DISTINCT is_readonly FROM system.replicas')).toEqual(['1', '1']);
    const [why] = await onEach("SELECT last_error_message FROM system.errors WHERE name = 'NO_ELEMENTS_IN_CONFIG'");
    expect(why).toMatch(/interserver_http\(s\)_port.* required for replication/);
  });
});
