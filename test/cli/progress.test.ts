// Progress where there is no terminal: plain lines, few of them, or nothing at all.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from '../support/build.ts';

function stderrOf(elsewhere: string): string {
  const program = `
    import { openProgress } from './server/cli/progress.ts';
    const progress = openProgress({ title: 'Reading', total: 2000, elsewhere: '${elsewhere}' });
    for (let done = 1; done <= 2001; done++) progress.update(done, done + ' rows');
    progress.close();`;
  return run(`${program}\nprocess.stdout.write('done')`);
}

function run(program: string): string {
  const words = ['--import', 'tsx', '--input-type=module', '--eval', program];
  // Standard error is led into standard output, so that both are seen.
  const shell = `"${process.execPath}" "$@" 2>&1`;
  return execFileSync('sh', ['-c', shell, 'sh', ...words], { cwd: root, encoding: 'utf8' });
}

test('a line at the start and one for each tenth', () => {
  const tenths = Array.from({ length: 10 }, (_, at) => `Reading: ${(at + 1) * 10} %, ${(at + 1) * 200} rows`);
  expect(stderrOf('lines')).toBe(`${['Reading …', ...tenths].join('\n')}\ndone`);
});

test('tenths of what is known to be left, where more is found on the way', () => {
  const program = `
    import { openProgress } from './server/cli/progress.ts';
    const progress = openProgress({ title: 'Reading', total: 1, elsewhere: 'lines' });
    for (let done = 1; done <= 5; done++) progress.update(done, done + ' files', 5);`;
  expect(run(program)).toBe(
    `Reading …\n${[1, 2, 3, 4, 5].map((done) => `Reading: ${done * 20} %, ${done} files\n`).join('')}`,
  );
});

test('nothing, where that was asked for', () => {
  expect(stderrOf('nothing')).toBe('done');
});

test('a line every ten seconds', () => {
  const program = `
    import { openProgress } from './server/cli/progress.ts';
    let now = 0;
    const progress = openProgress({ title: 'Bringing', total: 100, elsewhere: 'now and then', clock: () => now });
    for (let done = 1; done <= 50; done++) {
      now += 500;
      progress.update(done, done + ' lines');
    }
    progress.close();`;
  expect(run(program)).toBe('Bringing: 20 %, 20 lines\nBringing: 40 %, 40 lines\n');
});
