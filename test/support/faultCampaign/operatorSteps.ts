// Commands of an operator under traffic, some with a fault at the same time: imports, backups, restores.
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { between, pick } from '../../../demo/world/random.ts';
import { exportedViews, viewsCounted } from '../beacons.ts';
import { startCommand } from '../command.ts';
import { damageFile } from './damage.ts';
import { type Fault, SERVER_FAULTS } from './serverFaults.ts';
import type { World } from './world.ts';

const AGO_MS = 12 * 3_600_000;
/** Share of steps with a fault at the same time. */
const BESIDE_SHARE = 0.4;
const BESIDE = new Set(['kill -9', 'pause', 'no descriptors', 'full disk', 'engine killed', 'engine frozen']);
const MOST_TRIES = 5;
const RESTORE_MS = 2_500;

export const OPERATOR_STEPS: readonly Fault[] = [
  { name: 'import', run: importBesideFault },
  { name: 'two imports', run: importTwice },
  { name: 'import killed', run: killImport },
  { name: 'backup', possible: inFolder, run: backUpBesideFault },
  { name: 'damaged backup', possible: inFolder, run: restoreDamaged },
  { name: 'restore killed', possible: inFolder, run: killRestore },
];

function inFolder({ clickhouse }: World): boolean {
  return clickhouse === undefined;
}

/** @returns Name of the fault; undefined: there was none. */
async function faultBeside(world: World): Promise<string | undefined> {
  const { random } = world;
  if (random() >= BESIDE_SHARE) return undefined;
  const faults = SERVER_FAULTS.filter(({ name, possible }) => BESIDE.has(name) && (possible?.(world) ?? true));
  const fault = pick(random, faults);
  await sleep(between(random, 0, 1_500));
  await fault.run(world);
  return fault.name;
}

function writeViews(world: World): { path: string; urls: string[] } {
  const count = between(world.random, 50, 700);
  const path = world.newPath('views.ndjson');
  const date = new Date(Date.now() - AGO_MS).toISOString();
  const urls = Array.from({ length: count }, (_, line) => `http://localhost:9/${basename(path)}/${line}`);
  const lines = urls.map((url, line) => JSON.stringify({ url, date, visitor: `v${line % 50}` }));
  writeFileSync(world.seen(path), `${lines.join('\n')}\n`);
  return { path, urls };
}

const importWords = (world: World, path: string) => ['import', 'views', world.site.apikey, path];

/** Repeats an import until it succeeds: the same file counts once. */
async function finishImport(world: World, path: string, urls: string[]): Promise<void> {
  const imported = { urls, stored: false };
  world.imported.push(imported);
  for (let tries = 0; tries < MOST_TRIES && !imported.stored; tries++) {
    const { code, stderr } = await world.run(importWords(world, path));
    imported.stored = code === 0;
    if (code !== 0) world.notes.push(`import: ${stderr.trim()}`);
  }
  if (!imported.stored) world.findings.push(`an import does not succeed: ${world.notes.at(-1)}`);
}

async function importBesideFault(world: World): Promise<void> {
  const { path, urls } = writeViews(world);
  const [, beside] = await Promise.all([world.run(importWords(world, path)), faultBeside(world)]);
  if (beside) world.notes.push(`import beside ${beside}`);
  await finishImport(world, path, urls);
}

async function importTwice(world: World): Promise<void> {
  const { path, urls } = writeViews(world);
  await Promise.all([world.run(importWords(world, path)), world.run(importWords(world, path))]);
  await finishImport(world, path, urls);
}

async function killImport(world: World): Promise<void> {
  const { path, urls } = writeViews(world);
  const words = [...importWords(world, path), '--data', world.server.dataDir];
  const { child, ended } = await startCommand(words, world.clock.env, world.disk?.within);
  await sleep(between(world.random, 200, 1_200));
  child.kill('SIGKILL');
  await ended;
  await finishImport(world, path, urls);
}

interface Backup {
  folder: string;
  events: number;
}

/** @returns undefined where the command failed. */
async function makeBackup(world: World): Promise<Backup | undefined> {
  const folder = world.newPath('backup');
  const { code, stdout, stderr } = await world.run(['backup', folder, '--json']);
  if (code !== 0) {
    world.notes.push(`backup: ${stderr.trim()}`);
    return undefined;
  }
  return { folder, events: JSON.parse(stdout).counts.events };
}

/** @returns URLs of the views in a restored folder. */
async function restored(world: World, dataDir: string, { events }: Backup): Promise<string[]> {
  const urls = await exportedViews(dataDir, world.site.apikey, world.disk?.within);
  if (urls.length !== events) world.findings.push(`a backup of ${events} events was restored with ${urls.length}`);
  if (new Set(urls).size < urls.length) world.findings.push('a restored backup has events twice');
  return urls;
}

async function backUpBesideFault(world: World): Promise<void> {
  const before = await viewsCounted(world.server, world.site);
  const [backup, beside] = await Promise.all([makeBackup(world), faultBeside(world)]);
  if (backup === undefined) {
    if (beside === undefined) world.findings.push(`a backup failed: ${world.notes.at(-1)}`);
    return;
  }
  if (backup.events < before) {
    world.findings.push(`${before} events were counted, and a backup made then has ${backup.events}`);
  }
  const folder = world.newPath('restored');
  const { code, stderr } = await world.run(['restore', backup.folder], folder);
  if (code !== 0) world.findings.push(`a backup cannot be restored: ${stderr.trim()}`);
  else for (const url of await restored(world, folder, backup)) world.backedUp.add(url);
}

async function restoreDamaged(world: World): Promise<void> {
  const backup = await makeBackup(world);
  if (backup === undefined) return void world.findings.push(`a backup failed: ${world.notes.at(-1)}`);
  const path = pick(world.random, filesIn(world.seen(join(backup.folder, 'engine'))));
  const damage = `${path.slice(world.seen(backup.folder).length)}: ${damageFile(path, world.random)}`;
  world.notes.push(damage);
  const folder = world.newPath('restored');
  const { code } = await world.run(['restore', backup.folder], folder);
  if (code === 0) world.findings.push(`a damaged backup was restored: ${damage}`);
  else if (existsSync(world.seen(join(folder, 'engine')))) {
    world.findings.push('a damaged backup was refused, and left a database');
  }
}

/** Sorted, for the sake of the seed. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size > 0 && statSync(path).isFile());
}

/** Either a second restore into the same folder succeeds, or the first one was complete. */
async function killRestore(world: World): Promise<void> {
  const backup = await makeBackup(world);
  if (backup === undefined) return void world.findings.push(`a backup failed: ${world.notes.at(-1)}`);
  const folder = world.newPath('restored');
  const words = ['restore', backup.folder, '--data', folder];
  const { child, ended } = await startCommand(words, world.clock.env, world.disk?.within);
  const after = between(world.random, 300, RESTORE_MS);
  await Promise.race([sleep(after), ended]);
  child.kill('SIGKILL');
  world.notes.push(`restore killed after ${after} ms: ${await ended}`);
  const { code, stderr } = await world.run(['restore', backup.folder], folder);
  if (code !== 0) world.notes.push(`second restore: ${stderr.trim()}`);
  await restored(world, folder, backup).catch((error: unknown) => {
    world.findings.push(`a killed restore left what cannot be opened or restored: ${stderr.trim()}; ${error}`);
  });
}
