// The command of the benches says what it can do before anything is measured.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { figures, keptTables } from '../bench/support/figures.ts';
import { BENCHES, usage } from '../bench/support/usage.ts';

const projectRoot = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(projectRoot, 'bench');
const files = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => basename(file, '.ts'));

const run = (...args: string[]) =>
  spawnSync(join(projectRoot, 'node_modules/.bin/tsx'), [join(FOLDER, 'run.ts'), ...args], {
    cwd: projectRoot,
    encoding: 'utf8',
    timeout: 60_000,
  });

test('--help prints the usage, and no bench starts', () => {
  const { status, stdout, stderr } = run('--help');
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: usage(), stderr: '' });
});

test('the usage has one line for each bench, and every option that its source reads', () => {
  expect(Object.keys(BENCHES)).toEqual(files.sort());
  for (const [name, { options = [] }] of Object.entries(BENCHES)) {
    const source = readFileSync(join(FOLDER, `${name}.ts`), 'utf8');
    const read = [...source.matchAll(/'?([a-z-]+)'?: \{ type: '(?:string|boolean)'|'--([a-z-]+)'/g)];
    const listed = options.map(([option]) => option.split(' ')[0]!.slice(2));
    expect(new Set(listed), name).toEqual(new Set(read.map(([, one, other]) => one ?? other!)));
    expect(usage()).toMatch(new RegExp(`^  ${name} .*\\S`, 'm'));
  }
});

test('docs/figures.md is what the bench writes from the tables it has kept', () => {
  const committed = readFileSync(join(projectRoot, 'docs/figures.md'), 'utf8');
  expect(committed === figures(), 'Run `npm run bench -- figures`.').toBe(true);
});

test('docs/figures.md is not written from a table of another size than it names', () => {
  const tables = keptTables();
  tables.set('relatedSpeed', { ...tables.get('relatedSpeed')!, title: '/related at 20,000 posts' });
  expect(() => figures(tables)).toThrow('names 100,000 posts');
});

test('a name that is no bench is an error which says where the names are', () => {
  const { status, stderr } = run('ingests');
  expect(status).toBe(2);
  expect(stderr).toContain('There is no bench ingests.');
  expect(stderr).toContain('--help');
});
