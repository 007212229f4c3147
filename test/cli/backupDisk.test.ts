// `afterword backup` where it cannot succeed: a disk that fills, a disk that is not mounted, a kill. Whatever happens, what has the final
// name is whole, and a failure ends with an error. Several backups by date; `backup verify`; a restore that has no room.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markOf } from '../../server/processMark.ts';
import { runCommand, startCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { startServer } from '../support/server.ts';
import { openSmallDisk, type SmallDisk } from '../support/smallDisk.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;

let dataDir: string;
let wholeBytes: number;
let whole: string;

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

async function done(...words: string[]) {
  const { code, stdout, stderr } = await runCommand([...words, '--data', dataDir]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

beforeAll(async () => {
  const folder = makeDataDir();
  dataDir = join(folder, 'data');
  whole = join(folder, 'whole');
  const views = join(folder, 'views.ndjson');
  await copyEmptyDatabase(join(dataDir, 'engine'));
  const date = (n: number) => new Date(Date.now() - 86_400_000 + n * 1000).toISOString();
  const lines = Array.from({ length: 40_000 }, (_, n) =>
    JSON.stringify({ url: `https://disk.example/${n % 200}`, date: date(n), visitor: `reader-${n % 9000}` }),
  );
  writeFileSync(views, lines.join('\n'));
  await done('site', 'add', 'disk.example');
  await done('import', 'views', 'disk.example', views);
  await done('backup', whole);
  // A page of the file system at least each.
  wholeBytes = filesOf(whole).reduce((sum, file) => sum + Math.ceil(statSync(file).size / 4096) * 4096, 0);
});
afterAll(removeDataDirs);

const probe = await openSmallDisk(MIB);
if (typeof probe === 'string') console.warn(`Not tested: full disks, because ${probe}.`);
else await probe.close();

async function withDisk(bytes: number, work: (disk: SmallDisk) => Promise<void>): Promise<void> {
  const disk = await openSmallDisk(bytes);
  if (typeof disk === 'string') throw new Error(disk);
  try {
    await work(disk);
  } finally {
    await disk.close();
  }
}

// Needs a small file system of its own; the probe says why there is none.
describe.skipIf(typeof probe === 'string')('a disk that fills', () => {
  test.each([0.3, 0.95])('with room for %f of a backup, there is an error and nothing is left', async (share) => {
    await withDisk(Math.round(wholeBytes * share), async ({ folder, seen, within }) => {
      for (const words of [
        ['backup', join(folder, 'copy')],
        ['backup', folder, '--keep', '2'],
      ]) {
        const { code, stdout, stderr } = await runCommand([...words, '--data', dataDir], {}, within);
        expect({ code, stdout, left: readdirSync(seen) }).toEqual({ code: 1, stdout: '', left: [] });
        expect(stderr).toMatch(/^error: The backup (to .* could not be made|is not whole)/);
        expect(stderr.trim().split('\n')).toHaveLength(1);
      }
    });
  });

  test('on a disk that is full already, not even the folder it is made in is left', async () => {
    await withDisk(MIB, async ({ folder, seen, within, fill }) => {
      fill();
      const ended = await runCommand(['backup', join(folder, 'copy'), '--data', dataDir], {}, within);
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOSPC') });
      expect(readdirSync(seen)).toEqual(['ballast']);
    });
  });

  test('what a killed one left takes no room from the next one by date', async () => {
    await withDisk(Math.round(wholeBytes * 1.6), async ({ folder, seen, within }) => {
      const left = join(seen, 'afterword-2020-01-01T00-00-00-000Z.unfinished');
      cpSync(join(whole, 'engine'), join(left, 'engine'), { recursive: true });
      const { code, stderr } = await runCommand(['backup', folder, '--keep', '2', '--data', dataDir], {}, within);
      expect({ code, stderr, left: readdirSync(seen) }).toEqual({
        code: 0,
        stderr: '',
        left: [expect.stringMatching(/^afterword-\d{4}-[^.]*$/)],
      });
    });
  });

  test('a restore without room is an error, and nothing is left that starts', async () => {
    await withDisk(Math.round(wholeBytes * 0.6), async ({ folder, seen, within }) => {
      const into = join(folder, 'data');
      const { code, stdout } = await runCommand(['restore', whole, '--data', into], {}, within);
      expect({ code, stdout, left: readdirSync(join(seen, 'data')) }).toEqual({ code: 1, stdout: '', left: [] });
    });
  });
});

test('in a folder that is not there, as of a disk that is not mounted, nothing is made', async () => {
  const absent = join(makeDataDir(), 'mnt');
  for (const words of [[join(absent, 'copy')], [join(absent, 'x', 'y')], [absent, '--keep', '3']]) {
    const { code, stderr } = await runCommand(['backup', ...words, '--data', dataDir]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('There is no folder') });
    expect(existsSync(absent)).toBe(false);
  }
});

test('killed at any moment, it leaves nothing under its name, and the next one is whole', async () => {
  for (const isThere of [false, true]) {
    const copy = join(makeDataDir(), 'copy');
    if (isThere) mkdirSync(copy);
    const unfinished = isThere ? join(copy, '.unfinished') : `${copy}.unfinished`;
    const killed = await startCommand(['backup', copy, '--data', dataDir]);
    await until('it has begun', () => existsSync(join(unfinished, 'engine')));
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(existsSync(join(copy, 'backup.json'))).toBe(false);
    expect(await runCommand(['restore', copy, '--data', join(makeDataDir(), 'data')])).toMatchObject({ code: 1 });
    await done('backup', copy);
    expect(existsSync(unfinished)).toBe(false);
    expect(readdirSync(copy).sort()).toEqual(['backup.json', 'engine', 'imports']);
    expect(await done('backup', 'verify', copy)).toContain(`${copy} is whole`);
  }
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'ended by %s, a command without a server says what it leaves',
  async (signal) => {
    const shelf = makeDataDir();
    const { child, ended, output } = await startCommand(['backup', join(shelf, 'copy'), '--data', dataDir]);
    await until('it has begun', () => existsSync(join(shelf, 'copy.unfinished', 'engine')));
    child.kill(signal);
    const left = join(shelf, 'copy.unfinished');
    expect({ code: await ended, ...output }).toEqual({
      code: 128 + constants.signals[signal],
      stdout: '',
      stderr: `Interrupted: ${left} is left, which is no backup. The next one of the same name, or with --keep, removes it.\n`,
    });
    await done('backup', join(shelf, 'copy'));
    expect(readdirSync(shelf)).toEqual(['copy']);
  },
);

test('where a signal ends a command, the server makes the backup all the same', async () => {
  const copy = join(makeDataDir(), 'copy');
  const server = await startServer({ dataDir });
  try {
    const { child, ended, output } = await startCommand(['backup', copy, '--data', dataDir]);
    await until('it has begun', () => existsSync(`${copy}.unfinished`));
    process.kill(server.pid, 'SIGSTOP');
    child.kill('SIGINT');
    expect({ code: await ended, ...output }).toEqual({
      code: 130,
      stdout: '',
      stderr:
        'Interrupted: the running server still makes the backup. afterword backup verify says when it is whole.\n',
    });
    process.kill(server.pid, 'SIGCONT');
    await until('the backup is made', () => existsSync(copy));
  } finally {
    process.kill(server.pid, 'SIGCONT');
    await server.stop();
  }
  expect(await done('backup', 'verify', copy)).toContain('is whole');
});

test('what was left by a process whose id is that of another one now is removed', async () => {
  const copy = join(makeDataDir(), 'copy');
  mkdirSync(`${copy}.unfinished`);
  const maker = join(`${copy}.unfinished`, 'maker.pid');
  writeFileSync(maker, await markOf(process.pid));
  expect(await runCommand(['backup', copy, '--data', dataDir])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Process ${process.pid} is making a backup`),
  });
  writeFileSync(maker, `${process.pid} 1\n`);
  await done('backup', copy);
  expect(existsSync(maker)).toBe(false);
});

test('one whose maker cannot be read may be under way, and stays', async () => {
  const copy = join(makeDataDir(), 'copy');
  mkdirSync(join(`${copy}.unfinished`, 'maker.pid'), { recursive: true });
  const { stderr } = await runCommand(['backup', copy, '--data', dataDir]);
  expect(stderr).toContain(`${copy} cannot be used: EISDIR`);
  expect(readdirSync(`${copy}.unfinished`)).toEqual(['maker.pid']);
});

test('the newest are kept by date, the oldest go once a new one is finished, and a damaged one is left alone', async () => {
  const shelf = makeDataDir();
  const names = () => readdirSync(shelf).sort();
  mkdirSync(join(shelf, 'letters'));
  mkdirSync(join(shelf, 'afterword-2020-01-01T00-00-00-000Z.unfinished'));
  for (let n = 0; n < 2; n++) await done('backup', shelf, '--keep', '2');
  const [first, second] = names() as [string, string];
  expect(names()).toEqual([first, second, 'letters']);
  expect(first).toMatch(/^afterword-\d{4}-\d\d-\d\dT/);
  const third = JSON.parse(await done('backup', shelf, '--keep', '2', '--json'));
  expect(third.removed).toEqual([join(shelf, first)]);
  expect(names()).toHaveLength(3);
  expect(names()).not.toContain(first);

  expect(JSON.parse(await done('backup', 'verify', shelf, '--json'))).toMatchObject([
    { folder: join(shelf, second), counts: { events: 40_000 } },
    { folder: third.folder },
  ]);
  const restored = await runCommand(['restore', shelf, '--data', join(makeDataDir(), 'data')]);
  expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining(`such as ${third.folder}`) });

  // One that is damaged hides none of the newer ones.
  const missing = filesOf(join(shelf, second)).find((path) => path.endsWith('/data.bin'))!;
  rmSync(missing);
  const { code, stdout, stderr } = await runCommand(['backup', 'verify', shelf]);
  expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining(`${third.folder} is whole`) });
  expect(stderr).toContain(`damaged: ${missing}`);

  // Without its manifest it is no backup: it neither counts nor goes.
  rmSync(join(shelf, second, 'backup.json'));
  await done('backup', shelf, '--keep', '1');
  expect(names()).toEqual([second, expect.stringMatching(/^afterword-/), 'letters']);
});

test('two by date at once, made by one server, are both whole', async () => {
  const shelf = makeDataDir();
  const server = await startServer({ dataDir });
  const made = await Promise.all([1, 2].map(() => done('backup', shelf, '--keep', '5', '--json')));
  expect(readdirSync(shelf)).toHaveLength(2);
  for (const text of made) expect(await done('backup', 'verify', JSON.parse(text).folder)).toContain('is whole');
  await server.stop();
});

test('after the clock was set back the new backup stays, and those dated later go first', async () => {
  const shelf = makeDataDir();
  const ahead = ['afterword-2099-01-01T00-00-00-000Z', 'afterword-2099-01-02T00-00-00-000Z'] as const;
  for (const name of ahead) cpSync(whole, join(shelf, name), { recursive: true });
  for (const name of ahead) {
    const { folder, removed } = JSON.parse(await done('backup', shelf, '--keep', '2', '--json'));
    expect(removed).toEqual([join(shelf, name)]);
    expect(existsSync(join(folder, 'backup.json'))).toBe(true);
  }
});

test('an older one that cannot be removed takes nothing from the new one, and is an error that says both', async () => {
  const shelf = makeDataDir();
  const older = join(shelf, 'afterword-2020-01-01T00-00-00-000Z');
  cpSync(whole, older, { recursive: true });
  // Its place is taken by what another process is making.
  mkdirSync(`${older}.unfinished`);
  writeFileSync(join(`${older}.unfinished`, 'maker.pid'), `${process.pid}\n`);
  const noted = join(dataDir, 'last-backup');
  rmSync(noted);
  const { code, stdout, stderr } = await runCommand(['backup', shelf, '--keep', '1', '--data', dataDir]);
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^Backed up to .* 40000 events\.\n/),
    stderr: expect.stringMatching(
      /^error: The backup is made, and not all older ones in .* could be removed: ENOTEMPTY/,
    ),
  });
  expect(existsSync(noted)).toBe(true);
});

test('a backup is verified without a change to it, and the file that is damaged is named', async () => {
  const before = filesOf(whole).map((file) => [file, statSync(file).mtimeMs]);
  expect(await done('backup', 'verify', whole)).toMatch(/is whole: \d+ files .* 40000 events/);
  expect(filesOf(whole).map((file) => [file, statSync(file).mtimeMs])).toEqual(before);
  const file = filesOf(whole).find((path) => path.endsWith('/data.bin'))!;
  const bytes = readFileSync(file);
  const flipped = Buffer.from(bytes);
  flipped[flipped.length >> 1]! ^= 1;
  chmodSync(file, 0o600);
  writeFileSync(file, flipped);
  const { code, stderr } = await runCommand(['backup', 'verify', whole]);
  writeFileSync(file, bytes);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`damaged: ${file}`) });
});
