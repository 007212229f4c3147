// The file of a snapshot where the disk takes less than it is given.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../support/build.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'afterword-snapshot-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Writes files of growing length in place of one of yesterday; prints what is read after each. */
const GROWING = (folder: string) => `
  import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))};
  register();
  const file = '${pathToFileURL(join(root, 'server/siteIndex/snapshotFile.ts'))}';
  const { readSnapshot, writeSnapshot } = await import(file);
  const path = ${JSON.stringify(join(folder, 'site.index'))};
  const part = (name, length) => ({ name, at: 0, arrays: [new Uint8Array(length)], facts: null });
  const read = async () => {
    const names = [];
    for await (const { name } of readSnapshot(path)) names.push(name);
    return names.join();
  };
  const outcomes = [];
  for (let length = 0; length <= 600; length += 8) {
    await writeSnapshot(path, [part('yesterday', 1)]);
    const written = await writeSnapshot(path, [part('today', length)]).then(() => 'today', ({ code }) => code);
    outcomes.push([written, await read().catch(({ message }) => message)].join(': '));
  }
  console.log(JSON.stringify(outcomes));`;

test('a snapshot of which the disk takes a part only does not replace the one before', async () => {
  const script = join(dir, 'growing.mjs');
  writeFileSync(script, GROWING(dir));
  // A file may have no more than one block of 512 bytes: a write across that end writes what is before it, as the last
  // one on a disk that fills.
  const limited = ['-c', 'ulimit -f 1; exec "$0" "$1"', process.execPath, script];
  const { stdout } = await promisify(execFile)('sh', limited, { env: { ...process.env, TSX_DISABLE_CACHE: '1' } });
  expect([...new Set<string>(JSON.parse(stdout))]).toEqual(['today: today', 'EFBIG: yesterday']);
});
