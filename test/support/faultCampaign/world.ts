// The environment of a campaign of faults: a built server with a data folder, a disk and a clock of its own, the embedded engine or a
// ClickHouse server, traffic, and the findings.
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { between, type Random, seeded } from '../../../demo/world/random.ts';
import { BEACON_FLAGS, createReaders, type Readers } from '../beacons.ts';
import { type ClickHouse, startClickHouse } from '../clickhouse.ts';
import { runCommand } from '../command.ts';
import { makeDataDir } from '../dataDir.ts';
import { startServer, type TestServer, type TestSite } from '../server.ts';
import { openSmallDisk, type SmallDisk } from '../smallDisk.ts';
import { createClock, type SteppedClock } from './clock.ts';
import { createTraffic, type Traffic } from './traffic.ts';

const MIB = 1024 * 1024;
const DISK_BYTES = 192 * MIB;
/** Share of campaigns with a ClickHouse server, and on a disk that can be filled. */
const REMOTE_SHARE = 0.25;
const SMALL_DISK_SHARE = 0.35;
const SITE = 'faults.example';
/** Each view has a URL of its own. */
const FLAGS = ['--new-urls', '1000000'];

/** Views of an imported file. */
export interface Imported {
  urls: readonly string[];
  /** The command succeeded; until then any of them may be stored. */
  stored: boolean;
}

export interface World {
  random: Random;
  server: TestServer;
  /** Undefined: the engine is embedded in the server. */
  clickhouse: ClickHouse | undefined;
  /** Undefined: the disk cannot be filled. */
  disk: SmallDisk | undefined;
  clock: SteppedClock;
  site: TestSite;
  readers: Readers;
  traffic: Traffic;
  imported: Imported[];
  /** URLs of acknowledged views whose bytes were damaged. */
  lostToDamage: Set<string>;
  /** Events that the server has reported as damaged or cut short. */
  reported: number;
  /** Of those the ones that are kept on the disk, when last looked at. */
  kept: number;
  /** Views that were found in restored backups. */
  backedUp: Set<string>;
  /** Largest offset of the clock so far, in milliseconds. */
  latestOffset: number;
  /** Log of the campaign. */
  notes: string[];
  /** Violations of what the server guarantees. */
  findings: string[];
  /** Runs a command on the server's folder, or on another. */
  run(words: readonly string[], dataDir?: string): ReturnType<typeof runCommand>;
  /** Words for `startCommand` of a server on the folder. */
  serveWords(): string[];
  /** Starts a server on the folder. @throws when it does not start. */
  start(): Promise<TestServer>;
  /** Path of a new file or folder on the same disk. */
  newPath(name: string): string;
  /** Path of a file on the disk, as this process sees it. */
  seen(path: string): string;
  /** Files of the write-ahead log. */
  logFiles(): string[];
  close(): Promise<void>;
}

export async function openWorld(seed: number): Promise<World> {
  const random = seeded('campaign of faults', seed);
  const remote = random() < REMOTE_SHARE;
  const small = random() < SMALL_DISK_SHARE;
  const opened = small ? await openSmallDisk(DISK_BYTES) : undefined;
  const disk = typeof opened === 'object' ? opened : undefined;
  const own = makeDataDir();
  const root = disk?.folder ?? own;
  const clickhouse = remote ? await startClickHouse(join(own, 'clickhouse')) : undefined;
  const clock = createClock(own);
  const dataDir = join(root, 'data');
  const within = disk?.within;
  const flags = [...FLAGS, ...(clickhouse === undefined ? [] : ['--clickhouse-url', clickhouse.url])];
  const running = new Set<TestServer>();
  const seen = (path: string) => (disk === undefined ? path : disk.seen + path.slice(disk.folder.length));
  const start = async () => {
    const server = await startServer({ dataDir, flags, env: clock.env, ...(within && { within }) });
    running.add(server);
    return server;
  };
  const run: World['run'] = (words, on = dataDir) => runCommand([...words, '--data', on], clock.env, within);
  let folders = 0;
  const server = await start();
  const site = await addSite(run);
  const readers = createReaders(SITE, { viewsABatch: between(random, 1, 8) });

  const world: World = {
    random,
    server,
    clickhouse,
    disk,
    clock,
    site,
    readers,
    traffic: createTraffic({ readers, random: seeded('traffic', seed), server: () => world.server }),
    imported: [],
    lostToDamage: new Set(),
    reported: 0,
    kept: 0,
    backedUp: new Set(),
    latestOffset: 0,
    notes: [],
    findings: [],
    run,
    serveWords: () => ['serve', '--port', '0', '--data', dataDir, '--log-format', 'json', ...flags],
    start,
    newPath: (name) => join(root, `${++folders}-${name}`),
    seen,
    logFiles() {
      const folder = seen(join(dataDir, 'ingest/spool'));
      return readdirSync(folder)
        .filter((name) => /^\d{12}-/.test(name))
        .sort()
        .map((name) => join(folder, name));
    },
    async close() {
      const stopped = world.traffic.stop();
      for (const each of running) await each.kill();
      await stopped;
      await world.clickhouse?.kill();
      await disk?.close();
      clock.close();
      await rm(own, { recursive: true, force: true });
    },
  };
  if (typeof opened === 'string') world.notes.push(`no small disk: ${opened}`);
  return world;
}

async function addSite(run: World['run']): Promise<TestSite> {
  const { code, stdout, stderr } = await run(['site', 'add', SITE, '--json', ...BEACON_FLAGS]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
