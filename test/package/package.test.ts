// The package as npm gives it: packed, unpacked in an empty folder beside its dependencies alone, it runs, serves a site and
// exports the widget.
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureBuilt, root } from '../support/build.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { addSite, startServer } from '../support/server.ts';

const run = promisify(execFile);

interface Manifest {
  version: string;
  bin: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

describe('the package', () => {
  let folder: string;
  let installed: string;
  let files: string[];
  beforeAll(async () => {
    await ensureBuilt();
    folder = await mkdtemp(join(tmpdir(), 'afterword-package-'));
    // `prepack` builds; dist/ is as new as the sources already.
    const pack = ['pack', '--offline', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const { stdout } = await run('npm', pack, { cwd: root });
    installed = join(folder, 'node_modules/afterword');
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', join(folder, stdout.trim()), '-C', installed, '--strip-components=1']);
    const { dependencies, optionalDependencies } = await manifestOf(installed);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = join(folder, 'node_modules', name);
      await mkdir(dirname(place), { recursive: true });
      await symlink(join(root, 'node_modules', name), place, 'dir');
    }
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const entries = await readdir(installed, { recursive: true, withFileTypes: true });
    files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    removeDataDirs();
  });

  const bin = async () => join(installed, (await manifestOf(installed)).bin.afterword!);

  test('holds the built server and widget, the guides, and nothing of the demo, the tests or the sources', async () => {
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'SECURITY.md', 'dist/server/main.js']));
    expect(files).toEqual(expect.arrayContaining(['dist/widget/afterword.js', 'dist/module/afterword.js']));
    // Of the packages whose code is in the built files.
    const bundled = ['@hono-node-server', 'hono', 'idb-keyval', 'pino', 'preact', 'zod'];
    expect(files).toEqual(expect.arrayContaining(bundled.map((name) => `dist/licences/${name}.txt`)));
    expect(
      files.filter((name) => /^(demo|test|bench|widget)\/|\.webm$|\.jsonl\.gz$|\.map$|demo\.js$/.test(name)),
    ).toEqual([]);
    expect(files.filter((name) => name.startsWith('server/') && !name.startsWith('server/deploy/'))).toEqual([]);
  });

  test('runs as `afterword --version`, as an executable file', async () => {
    const { stdout } = await run(await bin(), ['--version'], { cwd: folder });
    expect(stdout).toBe(`${(await manifestOf(root)).version}\n`);
  });

  test('serves a site', async () => {
    const within = ['sh', '-c', `node=$1; shift 2; exec "$node" ${await bin()} "$@"`, 'sh'];
    const server = await startServer({ within });
    try {
      const { apikey } = await addSite(server, 'package.example');
      const top = await fetch(`${server.url}/v2/top/posts?apikey=${apikey}`);
      expect([top.status, ((await top.json()) as { success: boolean }).success]).toEqual([200, true]);
      for (const path of ['/afterword.js', '/preview', '/docs']) {
        expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
      }
      expect(await server.stop()).toBe(0);
    } finally {
      await server.kill();
    }
  });

  test('exports the widget as a module, with types', async () => {
    const program = "import('afterword/widget').then((all) => console.log(Object.keys(all).join()))";
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
    expect(stdout).toBe('start\n');
    const { exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    for (const entry of Object.values<string | Record<string, string>>(exports)) {
      for (const path of typeof entry === 'string' ? [entry] : Object.values(entry))
        await access(join(installed, path));
    }
  });
});
