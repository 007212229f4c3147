// Lists that do not come: asked for again while the page stays open, without a reader's doing.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { type Answer, articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

const SLOT = '<div data-afterword="related" data-limit="3"><a class="own" href="/archive">Archive</a></div>';
const FAR = `<div style="height:4000px">Text</div>${SLOT}`;

const fail: Answer = (_, response) => void response.writeHead(503).end('<h1>Away</h1>');

describeInBrowser('a list that does not come', (browser) => {
  let stage: Stage;
  let page: Page;
  let paths = 0;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
  });

  const open = (body: string) => page.goto(stage.page(`/retried-${paths++}`, articlePage(stage, body)));
  const links = () => page.locator('[data-afterword] a[part]').count();
  const toEnd = () => page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  /** How often a list did not come. */
  const errors = () => page.evaluate(() => Reflect.get(window, 'errors') as number);
  const countErrors = () =>
    page.addInitScript(() => {
      Object.assign(window, { errors: 0 });
      addEventListener('afterword:error', () => Reflect.set(window, 'errors', Reflect.get(window, 'errors') + 1));
    });

  it('is there a little later where its part could not be fetched at first', async () => {
    await countErrors();
    stage.answer('/list-', fail);
    await open(FAR);
    await toEnd();
    await until('the part is found missing, twice', async () => (await errors()) > 1);
    expect(await page.locator('.own').isVisible()).toBe(true);
    stage.reset();
    await until('the list shows', async () => (await links()) === 3);
  });

  it.each([
    ['is away', fail],
    ['answers that it is in trouble', json({ code: 503, message: 'Service Unavailable' })],
  ])('is there a little later where the server %s at first', async (_, answer) => {
    await countErrors();
    stage.answer('/v2/related', answer);
    await open(SLOT);
    await until('no list is there, twice', async () => (await errors()) > 1);
    expect(await page.locator('.own').isVisible()).toBe(true);
    stage.answer('/v2/related', json({ data: records(3, stage.site), success: true }));
    await until('the list shows', async () => (await links()) === 3);
  });

  it('is there a little later for a reader who was offline', async () => {
    await countErrors();
    await open(FAR);
    await until('the page is reported', () => stage.events().length > 0);
    await page.context().setOffline(true);
    await toEnd();
    await until('no list is there', async () => (await errors()) > 0);
    await page.context().setOffline(false);
    await until('the list shows', async () => (await links()) === 3);
  });

  it('is asked for ever more rarely, and not where the reader has scrolled past it', async () => {
    await page.clock.install();
    const asked: number[] = [];
    stage.answer('/v2/related', async (call, response) => {
      asked.push(await page.evaluate(() => performance.now()));
      fail(call, response);
    });
    await open(SLOT + FAR.replace(SLOT, ''));
    const seen = async (count: number) => {
      await until(`${count} questions`, async () => {
        await page.clock.runFor(1000);
        return asked.length >= count;
      });
    };
    await seen(12);
    // Each question is put twice.
    const firsts = asked.filter((_, index) => index % 2 === 0);
    for (const [index, time] of firsts.slice(1).entries())
      expect(time - firsts[index]!, `after ${firsts[index]} ms`).toBeGreaterThanOrEqual(firsts[index]! / 3);
    await toEnd();
    const before = asked.length;
    await page.clock.runFor(600_000);
    expect(asked.length).toBeLessThanOrEqual(before + 2);
  });

  it('is not asked for again where the server refuses it', async () => {
    await page.clock.install();
    stage.answer('/v2/related', json({ code: 403, message: 'Forbidden' }));
    await countErrors();
    await open(SLOT);
    await until('no list is there', async () => {
      await page.clock.runFor(100);
      return (await errors()) === 1;
    });
    const asked = () => stage.calls.filter((call) => call.path === '/v2/related').length;
    const before = asked();
    await page.clock.runFor(600_000);
    expect(asked()).toBe(before);
  });
});
