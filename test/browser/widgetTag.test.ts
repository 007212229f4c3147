// The tag in ways that hide which element runs: as a module, inlined, among other scripts, made by a tag manager.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { root } from '../support/build.ts';
import { json, openStage, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const SLOTS = '<div data-afterword="top" data-limit="3"></div><div data-afterword="related" data-limit="2"></div>';

const FILES = ['afterword.js', 'afterword.one.js'];
/** The loader, each byte of which every page loads, takes the site from attributes alone. */
const NAMES_SITE_IN_ADDRESS = ['afterword.one.js'];

describeInBrowser('the tag', (browser) => {
  let stage: Stage;
  let page: Page;
  let complaints: string[];
  let pages = 0;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    await page?.context().close();
    stage.reset();
    complaints = [];
    page = await browser().newPage({ viewport: { width: 800, height: 2000 } });
    page.on('pageerror', (error) => complaints.push(String(error)));
  });

  const open = (body: string) =>
    page.goto(
      stage.page(
        `/tag-${pages++}`,
        `<!doctype html><html lang="en"><head><title>A</title><link rel="icon" href="data:,"></head><body>${body.replaceAll('HOST', stage.host)}</body></html>`,
      ),
    );
  const listed = () =>
    until('the lists show', async () => (await page.locator('[data-afterword] a').count()) === 5 || undefined);

  /** A file of the host that holds a script of ours between others, as optimisers make it. */
  function bundle(code: string): string {
    stage.answer('/bundle.js', (_, response) => {
      response.setHeader('Content-Type', 'text/javascript').end(`window.before = 1;\n${code};\nwindow.after = 1;`);
    });
    return 'HOST/bundle.js';
  }

  describe.each(FILES)('%s', (file) => {
    const code = readFileSync(join(root, 'dist/widget', file), 'utf8').replaceAll('</script', '<\\/script');
    const src = `src="HOST/${file}"`;
    const made = (before: string, after: string) =>
      `<script>{const s = document.createElement('script'); ${before} document.head.append(s); ${after}}</script>`;
    const WAYS: Record<string, () => string> = {
      'as a module': () => `<script type="module" ${src} data-site="example.com"></script>`,
      'as a module, beside a script of another host': () =>
        `<script src="HOST/none.js"></script><script type="module" ${src} data-site="example.com"></script>`,
      inlined: () => `<script data-site="example.com" data-server="HOST/">${code}</script>`,
      'inlined as a module': () => `<script type="module" data-site="example.com" data-server="HOST/">${code}</script>`,
      'in a file with others, whose element has the attributes': () =>
        `<script src="${bundle(code)}" data-site="example.com" data-server="HOST/"></script>`,
      'in a file with others, the attributes on an element of its own': () =>
        `<script data-site="example.com" data-server="HOST/"></script><script defer src="${bundle(code)}"></script>`,
      'made by a script, with attributes before it is in the page': () =>
        made(`s.dataset.site = 'example.com'; s.src = 'HOST/${file}';`, ''),
      'made by a script, with attributes after it is in the page': () =>
        made(`s.src = 'HOST/${file}';`, `s.setAttribute('data-site', 'example.com'); s.async = true;`),
      'taken out of the page before it runs': () =>
        made(`s.dataset.site = 'example.com'; s.src = 'HOST/${file}';`, 's.remove();'),
      twice: () => `<script ${src} data-site="example.com"></script>`.repeat(2),
      ...(NAMES_SITE_IN_ADDRESS.includes(file) && {
        'with the site in its address': () => `<script async src="HOST/${file}?v=2&site=example.com"></script>`,
        'made by a tag manager that takes attributes away': () => made(`s.src = 'HOST/${file}?site=example.com';`, ''),
      }),
    };

    it.each(Object.keys(WAYS))('shows its lists and throws nothing: %s', async (way) => {
      await open(SLOTS + WAYS[way]!());
      await listed();
      const [event] = await until('the view is reported', () =>
        stage.events().length > 0 ? stage.events() : undefined,
      );
      expect(event).toMatchObject({ action: 'pageview', idsite: 'example.com' });
      expect(stage.events().filter(({ action }) => action === 'pageview')).toHaveLength(1);
      expect(complaints).toEqual([]);
    });

    it('throws nothing where nothing says a site, and lets the scripts after it run', async () => {
      await open(`${SLOTS}<script type="module" src="${bundle(code)}"></script>`);
      await page.waitForFunction('window.after === 1');
      expect(complaints).toEqual([]);
    });

    it('takes its attributes from script elements only', async () => {
      const lures = ['img', 'a', 'div', 'form', 'object', 'iframe', 'afterword-tag'].map(
        (name) => `<${name} name="scripts" id="scripts" data-site="evil.example" data-server="HOST/evil/"></${name}>`,
      );
      const text = '<template><script data-site="evil.example" data-server="HOST/evil/"></script></template>';
      await open(
        `${lures.join('')}${text}<svg><script data-site="evil.example" data-server="HOST/evil/"></script></svg>${SLOTS}` +
          `<script type="module" ${src} data-site="example.com"></script>`,
      );
      await listed();
      expect(stage.calls.filter(({ path }) => path.startsWith('/evil'))).toEqual([]);
      expect(complaints).toEqual([]);
    });
  });

  it('says in the console what the server says of the host of the page', async () => {
    const message = 'afterword: localhost:5173 is no host of the site that the tag names.';
    stage.answer('/events', json({ success: true, dropped: { 'foreign-host': 1 }, message }));
    const warning = page.waitForEvent('console', { predicate: (one) => one.type() === 'warning' });
    await open(`${SLOTS}<script async src="HOST/afterword.js" data-site="example.com"></script>`);
    expect((await warning).text()).toBe(message);
    expect(complaints).toEqual([]);
  });

  describe('the loader', () => {
    const code = readFileSync(join(root, 'dist/widget/afterword.js'), 'utf8');

    it.each([
      ['inlined', () => `<script data-site="example.com">${code}</script>`],
      ['in a file with others', () => `<script src="${bundle(code)}"></script>`],
    ])('throws nothing where its address is not known, and leaves what stands in the slots: %s', async (_, tag) => {
      await open(
        `${SLOTS.replaceAll('></div>', '><a href="/archive">Archive</a></div>')}${tag()}<script type="module">window.last = 1</script>`,
      );
      await page.waitForFunction('window.last === 1');
      expect(await page.locator('[data-afterword] a').allTextContents()).toEqual(['Archive', 'Archive']);
      expect(complaints).toEqual([]);
    });

    it.each([
      ['before', "s.dataset.site = 'example.com'; s.src = 'HOST/afterword.js'; document.head.append(s)"],
      ['after', "s.src = 'HOST/afterword.js'; document.head.append(s); s.setAttribute('data-site', 'example.com')"],
    ])('shows its lists where a script makes its element, with attributes %s it is in the page', async (_, make) => {
      await open(`${SLOTS}<script>{const s = document.createElement('script'); ${make}}</script>`);
      await listed();
      expect(complaints).toEqual([]);
    });
  });
});
