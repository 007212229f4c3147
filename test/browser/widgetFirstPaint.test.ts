// The room that the preview's snippet makes in the page's own style: nothing moves, however late the tag and the page's style sheet come.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { root } from '../support/build.ts';
import { layoutShift, watchLayoutShift } from '../support/layoutShift.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { json, openStage, records, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const LISTS = [
  'kind=top',
  'kind=related&layout=grid&limit=6',
  'kind=top&layout=row',
  'kind=top&layout=compact&limit=10',
];
/** Every slot is in view: there a move counts. */
const TALL = 6000;
const SHEET = 'body { font: 19px/1.5 serif; margin: 0 } main { max-width: 680px; margin: 0 auto; padding: 0 16px }';

describeInBrowser('the first visit', (browser) => {
  let stage: Stage;
  let server: TestServer;
  let style = '';
  let slots = '';

  beforeAll(async () => {
    [stage, server] = await Promise.all([openStage(), startServer()]);
    const page = await browser().newPage({ viewport: { width: 1280, height: 900 } });
    for (const list of LISTS) {
      await page.goto(`${server.url}/preview?site=example.com&${list}`);
      const text = (label: string) => page.locator('.snippet', { hasText: label }).locator('pre').textContent();
      const kind = /kind=(\w+)/.exec(list)![1]!;
      await until(
        'the slot is written',
        async () => (await text('Where the list is to stand'))?.includes(kind) ?? false,
      );
      slots += `${await text('Where the list is to stand')}<p>Below</p>`;
      style += await text('its room at the first paint');
    }
    await page.context().close();
    for (const path of ['/v2/related', '/v2/top'])
      stage.answer(path, json({ data: records(40, stage.site), success: true }));
    const loader = readFileSync(join(root, 'dist/widget/afterword.js'));
    // Slowness is what is tested; nothing waits for it by the clock.
    const files = { '/page.css': ['text/css', SHEET], '/afterword.js': ['text/javascript', loader] } as const;
    for (const [path, [type, text]] of Object.entries(files))
      stage.answer(path, async ({ query }, response) => {
        await sleep(Number(query.get('ms')));
        response.setHeader('Content-Type', type).end(text);
      });
  });
  afterAll(async () => {
    await stage.close();
    await server.stop();
  });

  /** @returns how much the page moved until all its lists were there. */
  async function visit(width: number, loaderMs: number, sheetMs: number, room: string) {
    const page = await browser().newPage({ viewport: { width, height: TALL } });
    try {
      await watchLayoutShift(page);
      const sheet = `<link rel="stylesheet" href="${stage.host}/page.css?ms=${sheetMs}">`;
      const tag = `<script async src="${stage.host}/afterword.js?ms=${loaderMs}" data-site="example.com"></script>`;
      const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">`;
      const html = `<!doctype html><html lang="en"><head><title>A</title>${head}${room}${sheet}${tag}</head><body><main><h1>Article</h1>${slots}</main></body></html>`;
      await page.goto(stage.page(`/first-${width}-${loaderMs}-${sheetMs}`, html), { waitUntil: 'commit' });
      await page.waitForFunction((count) => {
        const all = [...document.querySelectorAll('[data-afterword]')];
        return (
          all.length === count && all.every((slot) => slot.shadowRoot?.querySelector('[part=list][aria-busy=false]'))
        );
      }, LISTS.length);
      return await layoutShift(page);
    } finally {
      await page.context().close();
    }
  }

  for (const width of [390, 1280])
    for (const loaderMs of [0, 300, 2000])
      for (const sheetMs of [0, 400])
        it(`moves nothing at ${width} pixels, with the tag after ${loaderMs} and the style sheet after ${sheetMs} ms`, async () => {
          expect(await visit(width, loaderMs, sheetMs, style)).toBe(0);
        });

  it('moves nothing where the page makes items higher, and slots as high as the guide says', async () => {
    const [, height] = /`(min-height: [^`]+)`/.exec(readFileSync(join(root, 'docs/styling.md'), 'utf8'))!;
    const items = '[data-afterword]:not([data-layout])::part(item) { min-height: 9em }';
    expect(await visit(1280, 300, 0, `<style>[data-afterword] { ${height} } ${items}</style>`)).toBe(0);
  });

  it('moves what is below a list without that room', async () => {
    expect(await visit(390, 300, 0, '')).toBeGreaterThan(0.01);
  });
});
