// One flipped bit anywhere in a backup: `afterword restore` names the file and leaves nothing. One in the data folder itself: `afterword
// backup` names the table, before a copy is made that could not be restored.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireChecksums } from '../../server/cli/backup/checksums.ts';
import { readManifest } from '../../server/cli/backup/manifest.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';

const VIEWS = 500;

let dataDir: string;
let backup: string;

beforeAll(async () => {
  const folder = makeDataDir();
  dataDir = join(folder, 'data');
  backup = join(folder, 'copy');
  const views = join(folder, 'views.ndjson');
  const date = (n: number) => new Date(Date.now() - 86_400_000 + n * 1000).toISOString();
  const lines = Array.from({ length: VIEWS }, (_, n) =>
    JSON.stringify({ url: `https://damage.example/${n % 20}`, date: date(n), visitor: `reader-${n % 90}` }),
  );
  writeFileSync(views, lines.join('\n'));
  for (const words of [
    ['site', 'add', 'damage.example'],
    ['import', 'views', 'damage.example', views],
    ['backup', backup],
  ]) {
    const { code, stderr } = await runCommand([...words, '--data', dataDir]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
  }
});
afterAll(removeDataDirs);

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at]! ^= 1 << (at % 8);
  writeFileSync(file, bytes);
}

async function restore(from: string) {
  const into = join(makeDataDir(), 'data');
  const { code, stdout, stderr } = await runCommand(['restore', from, '--data', into, '--json']);
  const left = existsSync(into) ? readdirSync(into) : [];
  return { code, stdout, stderr, left, into };
}

function copyOfBackup(): string {
  const copy = join(makeDataDir(), 'copy');
  cpSync(backup, copy, { recursive: true });
  return copy;
}

test('undamaged, it is restored', async () => {
  const { code, stdout } = await restore(copyOfBackup());
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ counts: { sites: 1, events: VIEWS, visitors: 90 } });
});

// A kind of file each: rows, marks, indexes, checksums, names of columns, definitions, the engine's own list, the manifest.
test.each([
  ['data/default/events/.*/data\\.bin', 0.5],
  ['data/default/visitors/.*/data\\.bin', 0.1],
  ['data/default/events/.*/data\\.\\w*mrk\\w*', 0.5],
  ['data/default/events/.*/primary\\.\\w+', 0.5],
  ['data/default/events/.*/checksums\\.txt', 0],
  ['data/default/events/.*/checksums\\.txt', 0.9],
  ['data/default/events/.*/columns\\.txt', 0.6],
  ['data/default/events/.*/count\\.txt', 0],
  ['metadata/default/events\\.sql', 0.5],
  ['\\.backup', 0.3],
])('a bit of a file like %s, at %f of it, is found, and nothing is left', async (pattern, share) => {
  const copy = copyOfBackup();
  const file = filesOf(copy).find((path) => new RegExp(`/engine/${pattern}$`).test(path))!;
  flip(file, Math.floor(statSync(file).size * share));
  const { code, stderr, left } = await restore(copy);
  expect({ code, left }).toEqual({ code: 1, left: [] });
  expect(stderr).toContain(`The backup is damaged: ${file} `);
});

test('a bit at the ends and in the middle of every file is found', async () => {
  const copy = copyOfBackup();
  const { files = {} } = await readManifest(copy);
  expect(filesOf(copy).length).toBe(Object.keys(files).length + 1);
  for (const [path, checksum] of Object.entries(files)) {
    const file = join(copy, path);
    const { size } = statSync(file);
    for (const at of size === 0 ? [] : new Set([0, size >> 1, size - 1])) {
      flip(file, at);
      await expect(requireChecksums(copy, { [path]: checksum }), `${file} at ${at}`).rejects.toThrow(file);
      flip(file, at);
    }
  }
  await requireChecksums(copy, files);
});

test('a manifest with a flipped bit is refused, or says what it said', async () => {
  const copy = copyOfBackup();
  const file = join(copy, 'backup.json');
  const said = await readManifest(copy);
  for (let at = 0; at < statSync(file).size; at += 97) {
    flip(file, at);
    // White space between what it says may become other white space.
    const found = await readManifest(copy).catch((error: Error) => error.message);
    if (typeof found === 'string') expect(found).toContain(`${file} is damaged`);
    else expect(found).toEqual(said);
    flip(file, at);
  }
});

test('a file that is missing is named', async () => {
  const copy = copyOfBackup();
  const file = filesOf(copy).find((path) => path.endsWith('/data.bin'))!;
  rmSync(file);
  const { code, stderr, left } = await restore(copy);
  expect({ code, left }).toEqual({ code: 1, left: [] });
  expect(stderr).toContain(`${file} cannot be read`);
});

test('a data folder with a flipped bit is not backed up as if it were whole', async () => {
  const damaged = join(makeDataDir(), 'data');
  cpSync(dataDir, damaged, { recursive: true, verbatimSymlinks: true });
  const rows = filesOf(damaged).filter((path) => path.endsWith('/data.bin'));
  const largest = rows.sort((a, b) => statSync(b).size - statSync(a).size)[0]!;
  flip(largest, statSync(largest).size >> 1);
  const copy = join(makeDataDir(), 'copy');
  const { code, stderr } = await runCommand(['backup', copy, '--data', damaged]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/The database is damaged: table \w+, part \w+: Checksum mismatch for file data\.bin/);
  expect(existsSync(copy)).toBe(false);
});
