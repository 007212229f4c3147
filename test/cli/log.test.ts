// What the log says, and what it never says.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { root } from '../support/build.ts';

function words(format: 'json' | 'pretty', call: string): string[] {
  const program = `
    import { createLog } from './server/cli/log.ts';
    const log = createLog({ level: 'info', format: '${format}', to: 'stdout' });
    ${call}`;
  return ['--import', 'tsx', '--input-type=module', '--eval', program];
}

const log = (...what: Parameters<typeof words>): string =>
  execFileSync(process.execPath, words(...what), { cwd: root, encoding: 'utf8' });

test('a line is JSON with its level by name and its time in UTC, and secrets are masked', () => {
  const line = log(
    'json',
    "log.info({ site: 'a.example', secret: 's3cret', query: { write_secret: 's3cret', ip: '203.0.113.7' } }, 'hello');",
  );
  expect(JSON.parse(line)).toMatchObject({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    site: 'a.example',
    msg: 'hello',
  });
  expect(line).not.toMatch(/s3cret|203\.0\.113/);
});

test('on a terminal it is one plain line, and an error has its stack below', () => {
  const text = log(
    'pretty',
    "log.warn({ port: 80, note: 'x\\u001b[2J' }, 'careful'); log.debug('unseen'); log.error({ err: new Error('bad') }, 'broken');",
  );
  const [first, second, third] = text.split('\n');
  expect(first).toMatch(/^\d\d:\d\d:\d\d warn {2}careful {2}port=80 {2}note=x·\[2J$/);
  expect(second).toMatch(/^\d\d:\d\d:\d\d error broken$/);
  expect(third).toBe('Error: bad');
});

test.each(['json', 'pretty'] as const)(
  'a log in a file (%s) on a full disk neither ends nor holds the server',
  (format) => {
    const full = openSync('/dev/full', 'w');
    try {
      const call =
        "log.error('first'); setTimeout(() => { log.fatal('second'); process.stderr.write('serves'); }, 10);";
      const { status, stderr } = spawnSync(process.execPath, words(format, call), {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', full, 'pipe'],
        timeout: 30_000,
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: 'serves' });
    } finally {
      closeSync(full);
    }
  },
);

test.each(['json', 'pretty'] as const)(
  'a log (%s) that its reader leaves waiting does not hold the server, and is whole when it reads on',
  async (format) => {
    const lines = 2_000;
    const call = `
    for (let n = 1; n <= ${lines}; n++) log.warn({ n, text: 'x'.repeat(200) }, 'line');
    process.stderr.write('serves');
    process.stdin.resume();`;
    // A shell's pipe, as of `afterword serve | logger`: one that Node makes is a socket.
    const reader = '"$0" "$@" | { read go <&3; cat; }';
    const child = spawn('bash', ['-c', reader, process.execPath, ...words(format, call)], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    const { stdin, stdout, stderr } = child;
    const go = child.stdio[3] as Writable;
    try {
      const [said] = await once(stderr, 'data', { signal: AbortSignal.timeout(20_000) });
      expect(String(said)).toBe('serves');
      go.end('go\n');
      let text = '';
      for await (const piece of stdout) {
        text += piece;
        if (text.split('\n').length > lines) break;
      }
      expect(text.split('\n')).toHaveLength(lines + 1);
    } finally {
      stdin.end();
      child.kill('SIGKILL');
    }
  },
);
