// How the process ends after an unexpected failure.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { root } from '../support/build.ts';

/** Runs a piece of code in a process that fails loudly, and would otherwise stay. */
async function die(code: string) {
  const program = `
    import { createLog } from './server/cli/log.ts';
    import { failLoudly } from './server/cli/signals.ts';
    failLoudly(createLog({ level: 'info', format: 'json', to: 'stdout' }));
    setInterval(() => {}, 60_000);
    ${code}`;
  const words = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [, exit] = await once(child, 'close');
  return { exit, line: JSON.parse(output) };
}

test.each([
  ['a promise without a handler', "void Promise.reject(new Error('lost'));"],
  ['an error in a callback', "setImmediate(() => { throw new Error('lost'); });"],
])('%s is logged as fatal and ends the process', async (_, code) => {
  const { exit, line } = await die(code);
  expect(exit, 'at once, whatever its threads do').toBe('SIGKILL');
  expect(line).toMatchObject({
    level: 'fatal',
    err: { message: 'lost', stack: expect.stringContaining('Error: lost') },
  });
});
