// `afterword/widget` as a site that is bundled takes it: types that check, a build that runs, nothing done by importing it.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { root } from '../support/build.ts';
import { compile } from '../support/compile.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);

const CONSUMER = `
import { type Afterword, type Card, type Options, start } from 'afterword/widget';

declare global {
  interface Window { server: string; heard: string[] }
}

const options: Options = { server: window.server, site: 'example.com', limit: '3', layout: 'compact' };
const afterword: Afterword = await start(options);
window.heard = [];
afterword.on('render', (event) => window.heard.push(event.type));
afterword.draw((card: Card, h) => h('a', { href: card.url, class: 'own' }, card.title));
const slot = document.createElement('div');
slot.dataset.afterword = 'related';
document.body.append(slot);
const event: Event = await afterword.render(slot);
const visitor: string | undefined = await afterword.visitor();
window.heard.push(event.type, String(visitor?.length));
const again: Afterword = await start({ server: 'https://elsewhere.example', site: 'other.example' });
if (again !== afterword) window.heard.push('another');
`;

describeInBrowser('the ES module', (browser) => {
  let stage: Stage;
  let folder: string;
  beforeAll(async () => {
    stage = await openStage();
    folder = await mkdtemp(join(tmpdir(), 'afterword-consumer-'));
    await mkdir(join(folder, 'node_modules'));
    await symlink(root, join(folder, 'node_modules/afterword'), 'dir');
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'main.ts'), CONSUMER);
  });
  afterAll(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** What the compiler says of a program; "" where it finds nothing. */
  async function check(program: string): Promise<string> {
    await writeFile(join(folder, 'main.ts'), program);
    return await compile(folder, ['main.ts']);
  }

  it('has types that fit its use, and refuse what does not', async () => {
    expect(await check(CONSUMER)).toBe('');
    expect(await check("import { start } from 'afterword/widget';\nstart({ site: 'example.com' });")).toContain(
      'server',
    );
    const wrong =
      "import { start } from 'afterword/widget';\nconst a = await start({ server: '', site: '' });\na.conversion(7);\nexport {};";
    expect(await check(wrong)).toContain("'number'");
  });

  it('weighs less than the one file', async () => {
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
    const weightOf = async (file: string) => brotliCompressSync(await readFile(join(root, file)), quality).length;
    expect(await weightOf('dist/module/afterword.js')).toBeLessThan(await weightOf('dist/widget/afterword.one.js'));
  });

  it('does nothing on being imported, so that a server can', async () => {
    const program = "import('afterword/widget').then(({ start }) => console.log(typeof start))";
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
    expect(stdout).toBe('function\n');
  });

  it('runs in a bundle: fills slots, counts, and is one however often it is started', async () => {
    await writeFile(join(folder, 'main.ts'), CONSUMER);
    await writeFile(
      join(folder, 'index.html'),
      `<!doctype html><html lang="en"><head><title>App</title><link rel="icon" href="data:,"></head>` +
        `<body><script>window.server = ${JSON.stringify(stage.host)}</script><script type="module" src="/main.ts"></script></body></html>`,
    );
    await run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const built = await readFile(join(folder, 'dist/index.html'), 'utf8');
    const asset = /src="(\/assets\/[^"]+)"/.exec(built)![1]!;
    stage.answer('/assets/', async ({ path }, response) => {
      const code = await readFile(join(folder, 'dist', path), 'utf8');
      response.setHeader('Content-Type', 'text/javascript').end(code);
    });
    const page = await browser().newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(stage.page('/app', built.replace(asset, stage.host + asset)));
    await page.waitForFunction('window.heard?.length > 2');
    expect(await page.evaluate('window.heard')).toEqual(['afterword:render', 'afterword:render', '32']);
    expect(await page.locator('[data-afterword] [part~=related-compact] a.own').count()).toBe(3);
    const [view] = await until('the view is reported', () => (stage.events().length > 0 ? stage.events() : undefined));
    expect(view).toMatchObject({ idsite: 'example.com', action: 'pageview', url: `${stage.site}/app` });
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
