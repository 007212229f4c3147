// The newspaper's application and its films, with the real widget: every article read in the reading room is counted once, as
// what it is, with lists that belong to it; a film that plays is watched.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openEdition } from '../../demo/edition.ts';
import { openFilms } from '../../demo/films.ts';
import { createPaper } from '../../demo/paper/paper.ts';
import { describeInBrowser } from '../support/browser.ts';
import { json, openStage, records, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const NOW = Date.parse('2026-03-18T15:00:00Z');

describeInBrowser('the newspaper’s application', (browser) => {
  let stage: Stage;
  let server: Server;
  let origin: string;
  let page: Page;

  beforeAll(async () => {
    stage = await openStage();
    stage.answer('/v2/', json({ data: records(10, stage.site), success: true }));
    server = createServer((request, response) => listener(request, response)).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const articles = openEdition(NOW);
    const settings = {
      articles,
      films: openFilms(NOW),
      now: () => NOW,
      origin,
      afterword: stage.host,
      siteId: 'lantern',
    };
    const listener = getRequestListener(createPaper(settings).fetch);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await stage.close();
  });
  beforeEach(async () => {
    stage.calls.length = 0;
    page = await browser().newPage({ viewport: { width: 1280, height: 900 } });
  });
  afterEach(() => page.close());

  const views = () => stage.events().flatMap(({ action, url }) => (action === 'pageview' ? [url] : []));

  it('counts each article of the reading room once, and asks for lists that belong to it', async () => {
    await page.goto(`${origin}/room`);
    await until('the room is counted', () => views().length === 1);
    const links = page.locator('.shelf a');
    const slugs = await links.evaluateAll((all) =>
      all.map((link) => link.getAttribute('href')!.slice('/room/'.length)),
    );
    const article = (index: number) => `${origin}/article/${slugs[index]}`;
    const askedFor = () =>
      stage.calls.filter(({ path }) => path === '/v2/related').map(({ query }) => query.get('url'));
    for (const index of [0, 1]) {
      await links.nth(index).click();
      await page
        .locator('#open h1')
        .getByText((await links.nth(index).textContent())!)
        .waitFor();
      await until(`article ${index + 1} is counted`, () => views().length === index + 2);
      await page.locator('[data-afterword=related]').scrollIntoViewIfNeeded();
      await until('its list is asked for', () => askedFor().includes(article(index)));
    }
    await page.goBack();
    await until('the way back is counted', () => views().length === 4);
    expect(views()).toEqual([`${origin}/room`, article(0), article(1), article(0)]);
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`/article/${slugs[0]}`);
  });

  it('opens at the address of an article, as after a reload', async () => {
    const slug = openEdition(NOW).find(({ published }) => published <= NOW)!.slug;
    await page.goto(`${origin}/room/${slug}`);
    await page.locator('#open h1').waitFor();
    await until('it is counted', () => views().length === 1);
    expect(views()).toEqual([`${origin}/article/${slug}`]);
  });

  it('plays a film, which is reported as watched under the address of its page', async () => {
    const [film] = openFilms(NOW);
    await page.goto(`${origin}/watch/${film!.slug}`);
    await page.locator('video').evaluate((video: HTMLVideoElement) => video.play());
    const watched = () => stage.events().filter(({ action }) => action === 'videostart');
    await until('it is reported', () => watched().length === 1);
    expect(watched()[0]).toMatchObject({ metadata: { link: `${origin}/watch/${film!.slug}`, title: film!.title } });
    await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause());
    await until('so are its seconds', () => stage.events().some(({ action }) => action === 'vheartbeat'));
  });
});
