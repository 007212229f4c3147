// A disk of which `df` shows free space, and nothing can be stored on it: it has no room for more files, or is read-only.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hasCode } from '../../server/errors.ts';
import { BEACON_FLAGS, BROWSER } from '../support/beacons.ts';
import { runCommand } from '../support/command.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { startServer } from '../support/server.ts';
import { openSmallDisk, type SmallDisk } from '../support/smallDisk.ts';
import { until } from '../support/until.ts';

const disk = await openSmallDisk(512 * 1024 * 1024, 1_000);
if (typeof disk === 'string') console.warn(`Not tested: disks that take nothing, because ${disk}.`);
afterAll(async () => {
  if (typeof disk !== 'string') await disk.close();
  await removeDataDirs();
});

function useAllFiles(folder: string): void {
  try {
    for (let number = 0; ; number++) writeFileSync(join(folder, `file-${number}`), '');
  } catch (error) {
    if (!hasCode(error, 'ENOSPC')) throw error;
  }
}

async function doctor({ within }: SmallDisk, data: string) {
  const { stdout } = await runCommand(['doctor', '--json', '--data', data], {}, within);
  return JSON.parse(stdout) as { state: string; about: string; says: string }[];
}

test.skipIf(typeof disk === 'string')(
  'events are refused, doctor says so and why, and they are taken again',
  async () => {
    if (typeof disk === 'string') return;
    const { folder, seen, within } = disk;
    const server = await startServer({ dataDir: join(folder, 'data'), within });
    const data = ['--data', server.dataDir];
    const added = await runCommand(['site', 'add', 'files.example', ...data, ...BEACON_FLAGS], {}, within);
    expect(added).toMatchObject({ code: 0 });
    const send = async () => {
      const event = { idsite: 'files.example', action: 'pageview', url: 'https://files.example/a' };
      const body = JSON.stringify({ events: [event] });
      return (await fetch(`${server.url}/events`, { method: 'POST', headers: { 'User-Agent': BROWSER }, body })).status;
    };
    // What the database merges away meanwhile leaves room for others.
    await until('events are refused', async () => {
      useAllFiles(seen);
      return (await send()) === 503;
    });
    expect(await doctor(disk, server.dataDir)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          state: 'problem',
          about: 'server',
          says: expect.stringContaining('Events are refused'),
        }),
        expect.objectContaining({
          state: 'problem',
          about: 'disk',
          says: expect.stringMatching(/^Has room for \d+ more files?,/),
        }),
      ]),
    );
    for (const name of readdirSync(seen).filter((one) => one.startsWith('file-'))) rmSync(join(seen, name));
    await until('they are taken again', async () => (await send()) === 200);
    expect(
      (await doctor(disk, server.dataDir)).filter(({ about, state }) => about === 'server' && state === 'problem'),
    ).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

test.skipIf(typeof disk === 'string')('a folder that a fault has made read-only is named', async () => {
  if (typeof disk === 'string') return;
  const { folder, seen, within } = disk;
  await copyEmptyDatabase(join(seen, 'kept', 'engine'));
  const [program, ...words] = within;
  const remount = (as: string) =>
    expect(spawnSync(program!, [...words, 'mount', '-o', `remount,${as}`, folder])).toMatchObject({ status: 0 });
  remount('ro');
  expect(await doctor(disk, folder)).toMatchObject([
    { state: 'problem', about: 'data folder', says: `${folder} is on a file system that is read-only now.` },
  ]);
  const data = ['--data', join(folder, 'kept')];
  for (const words of [
    ['serve', '--port', '0'],
    ['migrate', '--plan'],
    ['site', 'list'],
  ]) {
    const { code, stderr } = await runCommand([...words, ...data], {}, within);
    const sentence = `error: The data folder ${data[1]} is on a file system that is read-only now. Look for faults`;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(sentence) });
    expect(stderr).not.toMatch(/afterword restore|with --data/);
  }
  remount('rw');
});
