// The newspaper's pages in a real browser, without Afterword: readable by everybody, on every screen.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEdition } from '../../demo/edition.ts';
import { openFilms } from '../../demo/films.ts';
import { createPaper } from '../../demo/paper/paper.ts';
import { BROUGHT } from '../demo/brought.ts';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

const NOW = Date.parse('2026-03-18T15:00:00Z');
describeInBrowser('the pages of the newspaper', (browser) => {
  let server: Server;
  let origin: string;
  let paths: string[];

  beforeAll(async () => {
    const articles = openEdition(NOW);
    const [newest] = articles.filter(({ published }) => published <= NOW);
    const code = articles.find(({ body, published }) => published <= NOW && body.includes('\n|'));
    const [film] = openFilms(NOW);
    paths = ['/', '/section/technology', `/article/${newest!.slug}`, `/article/${code!.slug}`, '/nothing'];
    paths.push(
      '/_behind',
      '/watch',
      `/watch/${film!.slug}`,
      '/search',
      '/search?q=design',
      '/room',
      `/room/${newest!.slug}`,
      `/plain/${newest!.slug}`,
    );
    server = createServer((request, response) => listener(request, response)).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    const paper = createPaper({
      articles,
      films: openFilms(NOW),
      now: () => NOW,
      origin,
      afterword: origin,
      siteId: 'lantern',
      brought: async () => BROUGHT,
    });
    const listener = getRequestListener(paper.fetch);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each(['light', 'dark'] as const)('have no fault that axe finds, in %s', async (colorScheme) => {
    const context = await browser().newContext({ colorScheme });
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(`${origin}${path}`);
      expect(await axeFindings(page), path).toEqual([]);
    }
    await context.close();
  });

  it('fit screens from 320 to 1920 pixels without scrolling sideways', async () => {
    const context = await browser().newContext();
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(`${origin}${path}`);
      for (const width of [320, 390, 768, 1280, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(`${path} at ${width}: ${Math.max(0, overflow)}`).toBe(`${path} at ${width}: 0`);
      }
    }
    await context.close();
  });

  it('leave no half of a row empty on a tablet, and break no figure on a phone', async () => {
    const page = await browser().newPage({ viewport: { width: 768, height: 800 } });
    await page.goto(`${origin}/`);
    const [row, last] = await page
      .locator('.desks, .desk:last-child')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
    expect(last).toBe(row);
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto(`${origin}/_behind`);
    const figures = page.locator('.brought td');
    expect(await figures.count()).toBe(6);
    const lines = await figures.evaluateAll((all) =>
      all.map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return range.getClientRects().length;
      }),
    );
    expect(lines).toEqual([1, 1, 1, 1, 1, 1]);
    await page.context().close();
  });

  it('are whole without JavaScript', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/`);
    expect(await page.locator('.headline a').count()).toBeGreaterThan(20);
    await page.locator('.front-new .headline a').first().click();
    await page.waitForURL(/\/article\//);
    expect(await page.locator('.prose p').count()).toBeGreaterThan(3);
    await context.close();
  });
});
