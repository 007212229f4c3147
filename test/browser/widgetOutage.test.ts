// Events that the server refuses: sent again in the same page view, heeding what the answer says.
import { expect, it } from 'vitest';
import type { IncomingEvent } from '../../server/contract/wire.ts';
import { describeInBrowser, shortenPauses } from '../support/browser.ts';
import { databases, keptEvents } from '../support/keptEvents.ts';
import { refusingStage, status, takeAll } from '../support/refusingStage.ts';
import { articlePage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

describeInBrowser('events that the server refuses', (browser) => {
  const at = refusingStage(browser);

  it.each([429, 503, 502])('with status %i come again, and once they are taken no more', async (code) => {
    const { page, stage, requests } = at();
    await at().hurry();
    at().refuse(status(code, 2));
    const opened = Date.now();
    await page.goto(`${stage.site}/a`);
    expect(await at().views(1)).toEqual(['/a']);
    expect(requests().length).toBe(3);
    expect(new Set(requests().map(({ body }) => body)).size, 'the same events').toBe(1);
    const said = Number(at().taken[0]!.date);
    expect(said, 'dated when they happened').toBeGreaterThan(opened - 1000);
    await at().kept(0);
    await at().move('/b');
    expect(await at().views(2)).toEqual(['/a', '/b']);
    expect(requests().length).toBe(4);
  });

  it('come no sooner than the answer says, and in one request', async () => {
    const { page, stage } = at();
    await at().hurry();
    await page.addInitScript(() => {
      const times: number[] = [];
      Reflect.set(window, 'times', times);
      const { fetch } = window;
      // By the page's clock.
      window.fetch = (...args) => {
        if (String(args[0]).endsWith('/events')) times.push(Date.now());
        return fetch(...args);
      };
    });
    at().refuse(status(429, 1, { 'Retry-After': '4', 'Access-Control-Expose-Headers': 'Retry-After' }));
    await page.goto(`${stage.site}/a`);
    await at().asked(1);
    await at().move('/b');
    expect(await at().views(2)).toEqual(['/a', '/b']);
    const [first, second, ...more] = await page.evaluate(() => Reflect.get(window, 'times') as number[]);
    expect(more).toEqual([]);
    expect(second! - first!).toBeGreaterThan(3990);
    expect(at().requests()).toHaveLength(2);
  });

  it('come again after pauses that grow, a bounded number of times', async () => {
    const { page, stage } = at();
    await page.clock.install();
    at().refuse(status(503));
    await page.goto(`${stage.site}/a`);
    for (let tries = 1; tries <= 10; tries++) {
      await at().asked(tries);
      await page.clock.runFor(100_000);
    }
    expect(at().requests()).toHaveLength(10);
    at().refuse(takeAll);
    await at().move('/b');
    await page.clock.runFor(2000);
    expect(await at().views(2), 'together with the next event').toEqual(['/a', '/b']);
    expect(at().requests()).toHaveLength(11);
  });

  it('for being too many are sent in smaller batches', async () => {
    const { page, stage, requests } = at();
    await page.goto(`${stage.site}/a`);
    await at().asked(1);
    stage.calls.length = 0;
    const taken: IncomingEvent[] = [];
    stage.answer('/events', ({ body }, response) => {
      const { events } = JSON.parse(body) as { events: IncomingEvent[] };
      if (events.length > 10) return void response.writeHead(422).end();
      taken.push(...events);
      response.end('{}');
    });
    await at().say((a) => {
      for (let index = 0; index < 300; index++) a.conversion('custom', `number ${index}`);
    });
    await until('all are taken', () => taken.length >= 300);
    const labels = taken.map(({ data }) => data!._conversion_label);
    expect(labels).toEqual(Array.from({ length: 300 }, (_, index) => `number ${index}`));
    for (const { body } of requests()) expect(Buffer.byteLength(body)).toBeLessThan(65_536);
  });

  it('because they cannot be JSON cost no others, and the page sees no error', async () => {
    const { page, stage } = at();
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    at().refuse(takeAll);
    await page.goto(`${stage.site}/a`);
    await at().say((a) => {
      const conversion = a.conversion as (type: string, label: unknown) => void;
      const circle: { of?: object } = {};
      circle.of = circle;
      for (const label of [1n, circle, Symbol('label'), 'a text']) conversion('custom', label);
    });
    const labels = () => at().taken.map(({ data }) => data!._conversion_label);
    await until('the last one is taken', () => labels().includes('a text'));
    expect(await at().views(1)).toEqual(['/a']);
    expect(errors).toEqual([]);
  });

  it('for good are given up', async () => {
    const { page, stage } = at();
    at().refuse(status(403, 1));
    await page.goto(`${stage.site}/a`);
    await at().asked(1);
    await at().move('/b');
    expect(await at().views(1)).toEqual(['/b']);
    expect(at().requests()).toHaveLength(2);
  });

  it('rest while the page is hidden', async () => {
    const { page, stage } = at();
    await page.clock.install();
    await page.addInitScript(() => {
      let hidden = false;
      Object.defineProperty(Document.prototype, 'hidden', { get: () => hidden });
      Reflect.set(window, 'hide', (now: boolean) => {
        hidden = now;
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      });
      navigator.sendBeacon = () => false;
    });
    const hide = (hidden: boolean) =>
      page.evaluate((now) => (Reflect.get(window, 'hide') as (now: boolean) => void)(now), hidden);
    await page.goto(`${stage.site}/a`);
    await at().asked(1);
    at().refuse(status(503));
    await at().say((a) => a.conversion('subscription'));
    await hide(true);
    await at().kept(1);
    await at().asked(2);
    at().refuse(takeAll);
    await page.clock.runFor(300_000);
    expect(at().requests()).toHaveLength(2);
    await hide(false);
    await until('the conversion is taken', () => at().taken.some(({ action }) => action === 'conversion'));
    await at().kept(0);
  });

  it('come again as pixels where the page forbids connections', async () => {
    const { page, stage } = at();
    await page.addInitScript(shortenPauses, true);
    let refusals = 2;
    const pixels: string[] = [];
    stage.answer('/plogger/', ({ query }, response) => {
      if (refusals-- > 0) return void response.writeHead(503).end();
      pixels.push(query.get('url')!);
      response.writeHead(200, { 'Content-Type': 'image/gif' }).end(GIF);
    });
    const policy = `default-src 'none'; script-src ${stage.host}; img-src data: ${stage.host}`;
    const html = articlePage(stage, '<p>Text</p>');
    await page.goto(stage.page('/policy', html, { 'Content-Security-Policy': policy }));
    await until('the view is taken', () => pixels.length > 0);
    expect(pixels).toEqual([`${stage.site}/policy`]);
    await at().kept(0);
  });

  it.each([
    ['Global Privacy Control', { globalPrivacyControl: true }],
    ['Do Not Track', { doNotTrack: '1' }],
  ])('come again, but are not kept, under %s', async (_, signal) => {
    const { page, stage } = at();
    await page.addInitScript((values) => {
      for (const [name, value] of Object.entries(values)) Object.defineProperty(navigator, name, { value });
    }, signal);
    await at().hurry();
    at().refuse(status(503, 2));
    await page.goto(`${stage.site}/a`);
    await at().asked(2);
    expect(await databases(page)).toBe(0);
    await at().views(1);
    expect(at().taken[0]!.data).toEqual({ parsely_site_uuid: 'OPTOUT' });
    expect(await databases(page)).toBe(0);
  });

  it.each([
    ['is missing', () => Object.defineProperty(window, 'indexedDB', { value: undefined })],
    ['never opens', () => Object.assign(indexedDB, { open: () => ({}) })],
    [
      'is full',
      () => {
        IDBObjectStore.prototype.put = () => {
          throw new DOMException('full', 'QuotaExceededError');
        };
      },
    ],
  ])('come again where storage %s, and the page sees no error', async (_, spoil) => {
    const { page, stage } = at();
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.addInitScript(spoil);
    await at().hurry();
    at().refuse(status(503, 2));
    await page.goto(`${stage.site}/a`);
    expect(await at().views(1)).toEqual(['/a']);
    expect(errors).toEqual([]);
  });

  it('are kept in bounded number and size', async () => {
    const { page, stage } = at();
    await page.goto(`${stage.site}/a`);
    await at().asked(1);
    at().refuse(status(503));
    await at().say((a) => {
      for (let index = 0; index < 300; index++) a.conversion('custom', `number ${index}`);
    });
    await until('events are kept', async () => (await keptEvents(page)).length > 10);
    const kept = await keptEvents(page);
    expect(kept.length).toBeLessThanOrEqual(100);
    expect(kept.join().length).toBeLessThanOrEqual(65_536);
    expect(kept[0]).toContain('"number 0"');
  });
});
