// The dashboard and the alert rules: every metric they name is served, what is served is named as Prometheus asks, and the gauges an
// alert looks at first say what is so.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { root } from '../support/build.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';
import { findProgram, readShipped, tryProgram } from '../support/shippedProxies.ts';

interface Rules {
  groups: {
    rules: { alert: string; expr: string; labels: { severity: string }; annotations: Record<string, string> }[];
  }[];
}
interface Dashboard {
  templating: { list: { query: string }[] };
  panels: { id: number; title: string; gridPos: Record<'x' | 'y' | 'w' | 'h', number>; targets: { expr: string }[] }[];
}

const rules = (parse(readShipped('alerts.yml')) as Rules).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readShipped('grafana.json')) as Dashboard;
const promtool = findProgram('promtool');

let server: TestServer;
let metrics: string;
beforeAll(async () => {
  server = await startServer();
  await addSite(server, 'watched.example');
  const backup = await runCommand(['backup', join(makeDataDir(), 'backup'), '--data', server.dataDir]);
  expect(backup).toMatchObject({ code: 0 });
  metrics = await (await fetch(`${server.url}/metrics`)).text();
});
afterAll(async () => {
  await server?.stop();
  await removeDataDirs();
});

const served = () => new Map([...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));
const sample = (name: string) => Number(new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'm').exec(metrics)?.[1]);

/** Names in a question, without the suffixes of histograms. */
function metricsIn(expr: string): string[] {
  const names = expr.match(/\b(?:afterword|nodejs|process)_[a-z0-9_]+/g) ?? [];
  return names.map((name) => (served().has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')));
}

test('each metric that a rule or a panel names is served', () => {
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.map(({ query }) => query),
  ];
  const named = new Set(expressions.flatMap(metricsIn));
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((name) => !served().has(name))).toEqual([]);
});

test('each rule says how bad it is, and what to do; panels have ids of their own and do not overlap', () => {
  for (const { alert, labels, annotations } of rules) {
    expect(['page', 'ticket'], alert).toContain(labels.severity);
    expect(Object.keys(annotations), alert).toEqual(['summary', 'description']);
  }
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

test('of copies that share a database, one makes the backup for all', () => {
  const old = rules.find(({ alert }) => alert === 'AfterwordBackupOld');
  expect(old?.expr).toContain('max by (job) (afterword_last_backup_timestamp_seconds)');
});

test('ready, the database, the version, the disk and the last backup are gauges', () => {
  expect(sample('afterword_ready')).toBe(1);
  expect(sample('afterword_engine_up')).toBe(1);
  expect(metrics).toContain(`afterword_build_info{version="${packageJson.version}",node="${process.versions.node}"} 1`);
  expect(sample('afterword_data_free_bytes')).toBeGreaterThan(1_000_000);
  expect(sample('afterword_data_free_files')).toBeGreaterThan(1_000);
  expect(Date.now() / 1000 - sample('afterword_last_backup_timestamp_seconds')).toBeLessThan(600);
});

test('a site that no event was stored of since the start has a series of 0, so that an alert finds nothing stored', () => {
  expect(metrics).toContain('afterword_ingest_events_total{site="watched.example",outcome="stored"} 0\n');
});

test('health answers for the port that the server really has, and fails where none runs', async () => {
  const health = (dataDir: string, ...words: string[]) => runCommand(['health', ...words, '--data', dataDir]);
  expect(await health(server.dataDir)).toMatchObject({ code: 0, stdout: `${server.url}/healthz is well.\n` });
  expect(await health(server.dataDir, '--ready')).toMatchObject({ code: 0 });
  const nowhere = makeDataDir();
  expect(await health(nowhere)).toMatchObject({ code: 1, stderr: `error: No server listens yet on ${nowhere}.\n` });
});

test('only counters end in _total', () => {
  expect([...served()].filter(([name, type]) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
});

describe('promtool', () => {
  beforeEach(({ skip }) => skip(promtool === undefined, 'promtool is not on the PATH'));

  test('finds nothing wrong with the rules and the metrics', async () => {
    expect(await tryProgram(promtool!, 'check', 'rules', join(root, 'server/deploy/alerts.yml'))).toMatchObject({
      code: 0,
    });
    const file = join(makeDataDir(), 'metrics.txt');
    writeFileSync(file, metrics);
    const checked = await tryProgram('/bin/sh', '-c', `"${promtool}" check metrics < "${file}"`);
    expect(checked).toEqual({ code: 0, said: '' });
  });
});
