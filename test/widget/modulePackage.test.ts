// `afterword-widget`, the package of the ES module: what npm packs of the build, and that programs check and run with nothing else.
import { execFile } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGuide } from '../docs/guides/guide.ts';
import { ensureBuilt, root } from '../support/build.ts';
import { compile } from '../support/compile.ts';

const run = promisify(execFile);

const PROGRAM = `
import { type Afterword, type DrawCard, type Options, start } from 'afterword-widget';

const options: Options = { server: 'https://stats.example.com', site: 'example.com', limit: '3' };
const draw: DrawCard = (card, h) => h('a', { href: card.url }, card.title, h(Note, { text: card.section }));
function Note({ text }: { text: string }) {
  return text || null;
}
export async function open(): Promise<Afterword> {
  const afterword = await start(options);
  afterword.draw(draw);
  return afterword;
}
`;

const slots = (framework: string) => `
import type {} from 'afterword-widget/${framework}';
export const lists = (
  <section>
    <afterword-related id="next" data-limit={4} data-layout="grid" class="own" />
    <afterword-top data-days="7">
      <p>Nothing yet</p>
    </afterword-top>
    <div data-afterword="related" data-limit="4" />
  </section>
);
`;

/** As much of the types of React as elements in JSX need: the package itself has none. */
const REACT_TYPES = `
declare module 'react' {
  interface HTMLAttributes<T> { id?: string; class?: string; children?: unknown; onClick?: (event: { currentTarget: T }) => void }
  type DetailedHTMLProps<E, T> = E & { ref?: (element: T | null) => void };
  namespace JSX {
    interface IntrinsicElements { section: HTMLAttributes<unknown>; p: HTMLAttributes<unknown>; div: HTMLAttributes<unknown> }
  }
}
declare module 'react/jsx-runtime' {
  export { JSX } from 'react';
  export function jsx(type: string, props: object): unknown;
  export function jsxs(type: string, props: object): unknown;
}
`;

const size = async ({ parentPath, name }: Dirent): Promise<number> => (await stat(join(parentPath, name))).size;

describe('the package of the module', () => {
  let folder: string;
  let unpacked: string;
  beforeAll(async () => {
    await ensureBuilt();
    folder = await mkdtemp(join(tmpdir(), 'afterword-package-'));
    const pack = ['pack', '--offline', '--silent', '--pack-destination', folder];
    const { stdout } = await run('npm', pack, { cwd: join(root, 'dist/module') });
    await run('tar', ['-xzf', join(folder, stdout.trim()), '-C', folder]);
    unpacked = join(folder, 'node_modules/afterword-widget');
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(folder, 'package'), unpacked, 'dir');
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** What the compiler says of a program; "" where it finds nothing. */
  async function check(file: string, program: string, framework = 'preact', others: string[] = []): Promise<string> {
    await writeFile(join(folder, file), program);
    return await compile(folder, [file, ...others], { jsx: 'react-jsx', jsxImportSource: framework });
  }

  it('has the name, the version and the licence, and depends on nothing', async () => {
    const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'afterword-widget', version, license: 'MIT', type: 'module' });
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies', 'scripts'])
      expect(manifest).not.toHaveProperty(kind);
  });

  it('holds the module, types, licence and README, and nothing of the server but types', async () => {
    const files = await readdir(join(folder, 'package'), { recursive: true, withFileTypes: true });
    const names = files.filter((entry) => entry.isFile()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['afterword.js', 'module.d.ts', 'LICENSE', 'README.md']));
    for (const name of names) expect(name).toMatch(/\.js$|\.d\.ts$|^LICENSE$|^README\.md$|^package\.json$/);
    const sizes = await Promise.all(files.filter((entry) => entry.isFile()).map(size));
    expect(sizes.reduce((all, bytes) => all + bytes, 0)).toBeLessThan(113_000);
  });

  it('has types that need no other package', async () => {
    expect(await check('plain.ts', PROGRAM)).toBe('');
    expect(await check('wrong.ts', PROGRAM.replace('card.title', 'card.headline'))).toContain('headline');
  });

  it('has types for the attributes of slots that the documentation lists', async () => {
    const rows = readGuide('attributes.md')
      .text.split('\n\n')
      .find((part) => part.startsWith('| Name |'))!;
    const cells = rows
      .split('\n')
      .slice(2)
      .map((row) => row.split('|')[1]!);
    const own = cells.filter((cell) => !/\(\*(?:tag|slot)\*\)/.test(cell));
    const names = own.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
    expect(names.length).toBeGreaterThan(20);
    const types = await readFile(join(unpacked, 'server/contract/attributes.d.ts'), 'utf8');
    expect(names.filter((name) => !new RegExp(`readonly name: ["']${name}["']`).test(types))).toEqual([]);
    expect(types).toContain('export type SlotAttributes');
  });

  it('is imported by a server, where it does nothing', async () => {
    const program = "import('afterword-widget').then((all) => console.log(Object.keys(all).join()))";
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
    expect(stdout).toBe('start\n');
  });

  describe.each(['preact', 'react'])('in JSX of %s', (framework) => {
    const others = framework === 'react' ? ['react.d.ts'] : [];
    beforeAll(async () => {
      await writeFile(join(folder, 'react.d.ts'), REACT_TYPES);
      if (framework === 'preact')
        await symlink(join(root, 'node_modules/preact'), join(folder, 'node_modules/preact'), 'dir');
    });

    it('checks the example of the guide', async () => {
      const example = readGuide('frameworks.md').block('React', 'tsx').replace('/react', `/${framework}`);
      expect(await check('guide.tsx', example, framework, others)).toBe('');
    });

    it('knows the elements of slots and their attributes', async () => {
      expect(await check('slots.tsx', slots(framework), framework, others)).toBe('');
      const wrong = slots(framework).replace('data-layout="grid"', 'data-layout="circle"');
      expect(await check('slots.tsx', wrong, framework, others)).toContain('"circle"');
    });
  });
});
