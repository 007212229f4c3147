// A page that React renders on a server and takes over in the browser, by React's development build, which compares all attributes.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { root } from '../support/build.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);

const PROGRAM = `
import { createElement, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';

function App({ slot, module }) {
  useEffect(() => {
    if (module) import(/* @vite-ignore */ module).then(({ start }) => start({ server: window.server, site: 'example.com' }));
  }, []);
  return createElement('main', null,
    createElement('p', null, 'Text'),
    createElement('div', { 'data-afterword': 'related', 'data-limit': '3', ...slot }),
    createElement('afterword-top', { 'data-limit': '2', ...slot }));
}
window.hydrate = (slot, module) => {
  const root = document.getElementById('root');
  hydrateRoot(root, createElement(App, { slot, module }), { onRecoverableError: (error) => console.error(String(error)) });
};
`;

/** What a server renders of it. */
const RENDERED =
  '<main><p>Text</p><div data-afterword="related" data-limit="3"></div><afterword-top data-limit="2"></afterword-top></main>';

describeInBrowser('a page that is hydrated', (browser) => {
  let stage: Stage;
  let folder: string;
  let app: string;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    stage = await openStage();
    folder = await mkdtemp(join(tmpdir(), 'afterword-hydration-'));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
    await writeFile(join(folder, 'main.js'), PROGRAM);
    await writeFile(join(folder, 'index.html'), '<script type="module" src="/main.js"></script>');
    const build = ['build', '--mode', 'development', '--minify', 'false', '--logLevel', 'error'];
    await run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), ...build], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'development' },
    });
    const [, asset] = /src="(\/assets\/[^"]+)"/.exec(await readFile(join(folder, 'dist/index.html'), 'utf8'))!;
    app = await readFile(join(folder, 'dist', asset!), 'utf8');
  });
  afterAll(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await page?.context().close();
    complaints = [];
    page = await browser().newPage({ viewport: { width: 800, height: 2000 } });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    stage.reset();
    const module = (path: string) => readFileSync(join(root, 'dist', path), 'utf8');
    for (const [start, read] of [
      ['/app.js', () => app],
      ['/module/', module],
    ] as const)
      stage.answer(start, ({ path }, response) => {
        response.setHeader('Content-Type', 'text/javascript').end(read(path));
      });
  });

  async function open(path: string, tag: string): Promise<void> {
    const html = `<!doctype html><html lang="en"><head><title>A</title><link rel="icon" href="data:,">${tag}</head><body><div id="root">${RENDERED}</div><script>window.server = '${stage.host}'</script><script type="module" src="${stage.host}/app.js"></script></body></html>`;
    await page.goto(stage.page(path, html));
    await page.waitForFunction('window.hydrate');
  }
  const listed = () => until('both lists show', async () => (await page.locator('main a').count()) === 5 || undefined);
  /** React has taken the page over: its elements have its marks. */
  const hydrated = () =>
    page.waitForFunction(() =>
      Object.keys(document.querySelector('[data-afterword]')!).some((name) => name.startsWith('__reactProps')),
    );
  const tag = () => `<script src="${stage.host}/afterword.js" data-site="example.com"></script>`;

  it.each(['before its lists are there', 'when its lists are there'])(
    'says nothing of slots that carry suppressHydrationWarning, and keeps them: %s',
    async (moment) => {
      await open('/suppressed', tag());
      if (moment === 'when its lists are there') await listed();
      await page.evaluate('hydrate({ suppressHydrationWarning: true })');
      await hydrated();
      await listed();
      expect(complaints).toEqual([]);
    },
  );

  it('says nothing where the module is started in an effect', async () => {
    await open('/effect', '');
    await page.evaluate(`hydrate({}, '${stage.host}/module/afterword.js')`);
    await hydrated();
    await listed();
    expect(complaints).toEqual([]);
  });

  it('keeps its lists without either, and complains in development only', async () => {
    await open('/plain', tag());
    await page.evaluate('hydrate({})');
    await hydrated();
    await listed();
    // So the tests above would see one.
    expect(complaints.length).toBeGreaterThan(0);
    for (const complaint of complaints) expect(complaint).toContain('hydrat');
  });
});
