// The RPC of worker threads and processes: results find their calls, errors and ends of a worker fail them, a late one is ended.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openProcess, openThread, type RemoteWorker } from '../../server/workers/rpc.ts';
import { root } from '../support/build.ts';

interface TestMethods {
  /** After so many milliseconds. */
  later(ms: number): number;
  lengthOf(bytes: Uint8Array): number;
  fill(length: number): Uint8Array;
  refuse(why: string): never;
  exit(): void;
  stick(): void;
}

const HANDLERS = `{
  later: (ms) => new Promise((resolve) => setTimeout(resolve, ms, ms)),
  lengthOf: (bytes) => bytes.length,
  fill: (length) => { const bytes = new Uint8Array(length).fill(7); return transferred(bytes, [bytes.buffer]); },
  refuse: (why) => { throw new Error(why); },
  exit: () => process.exit(1),
  stick: () => { for (;;); },
}`;

let dir: string;
let worker: RemoteWorker<TestMethods>;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'afterword-rpc-'));
  for (const serve of ['serveMethods', 'serveProcessMethods']) {
    const source = pathToFileURL(join(root, 'server/workers/serveMethods.ts'));
    writeFileSync(
      join(dir, `${serve}.mjs`),
      `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))};
       register();
       const { ${serve}, transferred } = await import('${source}');
       ${serve}(${HANDLERS});`,
    );
  }
});
afterEach(() => worker?.end());
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Calls a process, and has its thumbnails probed, while no descriptor is free in this one. */
const WITHOUT_DESCRIPTORS = (folder: string) => `
  import { closeSync, openSync } from 'node:fs';
  import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))};
  register();
  const { openProcess } = await import('${pathToFileURL(join(root, 'server/workers/rpc.ts'))}');
  const { createThumbnailMaker } = await import('${pathToFileURL(join(root, 'server/thumbnails/maker.ts'))}');
  const file = new URL('serveProcessMethods.mjs', '${pathToFileURL(folder)}/');
  const env = { PATH: process.env.PATH };
  const maker = createThumbnailMaker({ file, env });
  // An open process does not keep this one alive.
  setInterval(() => {}, 1_000);
  const taken = [];
  try {
    for (;;) taken.push(openSync('/dev/null'));
  } catch (error) {
    if (error.code !== 'EMFILE') throw error;
  }
  const worker = openProcess(file, { name: 'test', env });
  const called = worker.call('later', 0).catch(({ reason, message }) => ({ reason, message }));
  const results = [await called, worker.pending, await maker.probe(), await maker.make({})];
  await worker.ended;
  for (const descriptor of taken) closeSync(descriptor);
  const next = openProcess(file, { name: 'test', env });
  console.log(JSON.stringify([...results, await next.call('later', 1)]));
  await next.end();
  process.exit();`;

const file = (name: string) => pathToFileURL(join(dir, `${name}.mjs`));

describe.each([
  ['thread', () => openThread<TestMethods>(file('serveMethods'), { name: 'test' })],
  [
    'process',
    () => openProcess<TestMethods>(file('serveProcessMethods'), { name: 'test', env: { PATH: process.env.PATH } }),
  ],
])('a %s', (kind, open) => {
  test('answers calls in any order, each with its own result', async () => {
    worker = open();
    const order: number[] = [];
    const calls = [60, 0, 30].map((ms) => worker.call('later', ms).then((done) => order.push(done)));
    expect(worker.pending).toBe(3);
    await Promise.all(calls);
    expect(order).toEqual([0, 30, 60]);
    expect(worker.pending).toBe(0);
    expect(await worker.call('fill', 3)).toEqual(new Uint8Array([7, 7, 7]));
  });

  test('passes on what a method throws, and serves the next call', async () => {
    worker = open();
    await expect(worker.call('refuse', 'no room')).rejects.toMatchObject({ reason: 'failed', message: 'no room' });
    expect(await worker.call('later', 0)).toBe(0);
  });

  test('that ends fails the calls under way, and every later one', async () => {
    worker = open();
    const waiting = worker.call('later', 600_000);
    const exit = worker.call('exit', undefined);
    const ended = { reason: 'ended', message: `The test ${kind} ended.` };
    await expect(waiting).rejects.toMatchObject(ended);
    await expect(exit).rejects.toMatchObject(ended);
    await expect(worker.call('later', 0)).rejects.toMatchObject(ended);
    await worker.ended;
  });

  test('that cannot be sent an argument fails that call alone', async () => {
    worker = open();
    const message = expect.stringMatching(/^The test \w+ cannot be sent the argument \(.* could not be cloned\.\)\.$/);
    const call = worker.call('later', (() => 0) as never, { timeout: 60_000 });
    await expect(call).rejects.toMatchObject({ reason: 'failed', message });
    expect(worker.pending).toBe(0);
    expect(await worker.call('later', 0)).toBe(0);
  });

  test('that does not answer in time is ended', async () => {
    worker = open();
    const stuck = worker.call('stick', undefined, { timeout: 500 });
    await expect(stuck).rejects.toMatchObject({ reason: 'timeout', message: expect.stringContaining('500 ms') });
    await worker.ended;
  });
});

test('bytes are transferred to a thread and detached in the caller', async () => {
  worker = openThread<TestMethods>(file('serveMethods'), { name: 'test' });
  const bytes = new Uint8Array(5);
  expect(await worker.call('lengthOf', bytes, { transfer: [bytes.buffer] })).toBe(5);
  expect(bytes.length).toBe(0);
});

test('a thread whose file is missing fails its calls', async () => {
  worker = openThread<TestMethods>(file('missing'), { name: 'test' });
  await expect(worker.call('later', 0)).rejects.toMatchObject({ reason: 'ended', message: 'The test thread failed.' });
});

test('a process that the system cannot start fails its calls, and the next one is started when it can', async () => {
  const script = join(dir, 'withoutDescriptors.mjs');
  writeFileSync(script, WITHOUT_DESCRIPTORS(dir));
  const { stdout } = await promisify(execFile)('sh', ['-c', `ulimit -n 200; exec "$0" "$1"`, process.execPath, script]);
  const why = expect.stringMatching(/^The \w+ process failed \(spawn .*EMFILE\)\.$/);
  expect(JSON.parse(stdout)).toEqual([
    { reason: 'ended', message: why },
    0,
    { why, mayPass: true },
    { failure: 'ended', why },
    1,
  ]);
});
