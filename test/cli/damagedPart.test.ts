// A damaged part of the events in a data folder: the server starts all the same, serves the rest, and says in its log, to `doctor` and in
// /metrics which rows are in no answer.
import { cpSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { startServer, type TestServer } from '../support/server.ts';

const DAY = 86_400_000;

/** With events of two months, made once; each test damages a copy. */
const whole = join(makeDataDir(), 'data');
let dataDir = whole;
const yesterday = new Date(Date.now() - DAY / 2).toISOString();
/** Always in another month than yesterday: in another part. */
const before = new Date(Date.now() - 40 * DAY).toISOString();

async function command(...words: string[]) {
  const { code, stdout, stderr } = await runCommand([...words, '--data', dataDir]);
  return { code, stdout, stderr };
}

beforeAll(async () => {
  const views = join(makeDataDir(), 'views.ndjson');
  const lines = [...Array(60).fill(yesterday), ...Array(40).fill(before)].map((date, n) =>
    JSON.stringify({ url: `https://part.example/${n}`, date, visitor: `reader-${n}` }),
  );
  writeFileSync(views, lines.join('\n'));
  expect(await command('site', 'add', 'part.example')).toMatchObject({ code: 0 });
  expect(await command('import', 'views', 'part.example', views)).toMatchObject({ code: 0 });
});
beforeEach(() => {
  dataDir = join(makeDataDir(), 'data');
  // The engine's links are relative, and lead into the copy.
  cpSync(whole, dataDir, { recursive: true, verbatimSymlinks: true });
});
afterAll(removeDataDirs);

const flipped = (bytes: Buffer) => {
  bytes[bytes.length >> 1]! ^= 1;
  return bytes;
};

/** Damages a file of the part with yesterday's events. Default: flips a bit. */
function damage(pattern: RegExp, damaged: (bytes: Buffer) => Buffer = flipped): void {
  const table = realpathSync(join(dataDir, 'engine/data/default/events'));
  const month = yesterday.slice(0, 7).replace('-', '');
  const part = readdirSync(table).find((name) => name.startsWith(`${month}_`))!;
  const file = join(table, part, readdirSync(join(table, part)).find((name) => pattern.test(name))!);
  writeFileSync(file, damaged(readFileSync(file)));
}

const errorsOf = (server: TestServer) =>
  server
    .log()
    .flatMap(({ level, msg }) => (level === 'error' || level === 50 ? [String(msg)] : []))
    .join('\n');

test.each([
  ['rows', /^data\.bin$/, (bytes: Buffer) => Buffer.alloc(bytes.length)],
  ['marks', /^data\.\w*mrk\w*$/, flipped],
])('by its %s: the rest is served, and what is missing is said', async (_, file, damaged) => {
  damage(file, damaged);
  const server = await startServer({ dataDir });
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/^afterword_engine_parts_set_aside 1$/m);
  const doctor = await command('doctor', '--json');
  const findings = JSON.parse(doctor.stdout) as { about: string; state: string; says: string }[];
  expect(findings.find(({ says }) => says.includes('set aside'))).toMatchObject({
    about: 'database',
    state: 'problem',
    says: expect.stringMatching(/^Table events: part \S+ is set aside \(.+\), and its rows are in no answer\.$/),
  });
  const exported = await command('export', 'views', 'part.example');
  expect(exported.stdout.trim().split('\n')).toHaveLength(40);
  expect(errorsOf(server)).toMatch(/table events, part/);
  expect(await server.stop()).toBe(0);

  // Said at each start, until the operator has done something.
  const again = await startServer({ dataDir });
  expect(errorsOf(again)).toContain('rows are in no answer');
  expect(await again.stop()).toBe(0);
});

test('doctor --checksums finds damage that no question has met', async () => {
  expect((await command('doctor', '--checksums')).stdout).toContain('Those of all tables match.');
  damage(/^data\.bin$/);
  const { code, stdout } = await command('doctor', '--checksums');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /PROBLEM +checksums +Table events: part \S+ is damaged \(Checksum mismatch for file data\.bin/,
  );
});
