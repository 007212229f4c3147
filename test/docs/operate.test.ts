// docs/operate.md says what works: each block of `sh` is run as it stands, beside a running server; the others name commands, options
// and metrics that there are.
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverOptions } from '../../server/config.ts';
import { command } from '../support/build.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { readGuide } from './guides/guide.ts';

const guide = readGuide('operate.md');
const blocks = [...guide.text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code!);

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startServer();
  folder = makeDataDir();
  mkdirSync(join(folder, 'bin'));
  symlinkSync(command, join(folder, 'bin/afterword'));
});
afterAll(async () => {
  await server?.stop();
  await removeDataDirs();
});

/** A block in a shell that stops at the first failure, with folders of the test's own. */
async function runBlock(code: string): Promise<string> {
  const script = code
    .replaceAll('/var/backups/afterword', join(folder, 'backups'))
    .replaceAll('/var/tmp/afterword-drill', join(folder, 'drill'));
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, AFTERWORD_DATA: server.dataDir };
  return (await promisify(execFile)('/bin/sh', ['-euc', script], { env })).stdout;
}

test('every block of sh does what it says, one after the other', async () => {
  expect(blocks.length).toBeGreaterThan(4);
  const said: string[] = [];
  for (const code of blocks) said.push(await runBlock(code));
  const all = said.join('\n');
  expect(all).toContain('Site example.com is ready.');
  expect(all).toContain(`${server.url}/readyz is well.`);
  expect(all).toMatch(/is whole: \d+ files/);
  expect(all).toMatch(/^Restored to .*drill: 1 sites/m);
  expect(all).toMatch(/^Site trial\.example is removed: \d+ rows? of \d+ tables?\.$/m);
});

test('flags, variables and metrics that it names exist', async () => {
  const helps = [
    '',
    'site remove',
    'backup',
    'migrate',
    'health',
    'site add',
    'restore',
    'move',
    'doctor',
    'serve',
    'site size',
    'site change',
  ];
  const help = (await Promise.all(helps.map((words) => runInProcess([...words.split(' ').filter(Boolean), '--help']))))
    .map(({ stdout }) => stdout)
    .join('\n');
  const prose = guide.text.replaceAll(/^```(\w*)\n.*?^```$/gms, (block, language) => (language === 'sh' ? block : ''));
  const flags = new Set(prose.match(/(?<![\w-])--[a-z][a-z-]+/g));
  expect([...flags].filter((flag) => !help.includes(flag))).toEqual([]);
  const variables = new Set(guide.text.match(/\bAFTERWORD_[A-Z_]+/g));
  expect([...variables].filter((name) => !serverOptions().some(({ envVar }) => envVar === name))).toEqual([]);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const named = new Set(guide.text.match(/\b(?:afterword|nodejs)_[a-z0-9_]+/g));
  expect([...named].filter((name) => !metrics.includes(`# TYPE ${name} `))).toEqual([]);
});
