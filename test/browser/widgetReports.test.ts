// What the widget reports of lists: what was seen, for how long, and what was followed. Time is moved by the tests.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { IncomingEvent, ListReport } from '../../server/contract/wire.ts';
import type { Afterword } from '../../widget/commands.ts';
import { describeInBrowser } from '../support/browser.ts';
import { articlePage, json, openStage, records, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const NOW = Date.parse('2040-03-20T12:00:00Z');
const FAR = '<div style="height:5000px">Text</div>';
const RELATED = '<div data-afterword="related" data-slot="end" data-limit="3" data-layout="grid"></div>';
const TOP = '<div data-afterword="top" data-limit="2"></div>';

describeInBrowser('a list', (browser) => {
  let stage: Stage;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    stage = await openStage();
    stage.page('/away', '<!doctype html><title>Away</title>');
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    stage.reset();
    const sources = (index: number) => ({ source: ['words', 'readers', 'recent'][index % 3] });
    stage.answer('/v2/related', json({ data: records(10, stage.site, sources), success: true }));
    const ranked = (index: number) => ({ url: `${stage.site}/top-${index + 1}` });
    stage.answer('/v2/top', json({ data: records(10, stage.site, ranked), success: true }));
    context = await browser().newContext({ viewport: { width: 900, height: 800 } });
    page = await context.newPage();
    await page.addInitScript(() => {
      let hidden = false;
      Object.defineProperty(Document.prototype, 'hidden', { get: () => hidden });
      Reflect.set(window, 'hide', (now: boolean) => {
        hidden = now;
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      });
      const counted = window as unknown as { sent: number };
      counted.sent = 0;
      const { fetch } = window;
      const { sendBeacon } = navigator;
      window.fetch = (asked, ...more) => {
        if (String(asked).endsWith('/events')) counted.sent++;
        return fetch(asked, ...more);
      };
      navigator.sendBeacon = (...asked) => {
        counted.sent++;
        return sendBeacon.apply(navigator, asked);
      };
    });
    await page.clock.install({ time: NOW });
    await page.clock.pauseAt(NOW + 1000);
  });
  afterEach(() => context.close());

  const opened = async (body: string, { lists, attributes = '' }: { lists: number; attributes?: string }) => {
    await page.goto(stage.page('/article', articlePage(stage, body, attributes)));
    await drawn(lists);
  };
  const drawn = async (lists: number) => {
    await until('the lists are drawn', async () => {
      await page.clock.runFor(20);
      return (await page.locator('[part=list][aria-busy=false]').count()) === lists;
    });
    await inWindow();
  };
  /** Resolves when it is known what is in the window: observers are called in the order in which they were made. */
  const inWindow = () =>
    page.evaluate(
      () =>
        new Promise<void>((done) => {
          const last = new IntersectionObserver(() => {
            last.disconnect();
            done();
          });
          last.observe(document.body);
        }),
    );
  const viewed = () =>
    until('the view is reported', async () => {
      await page.clock.runFor(1000);
      return stage.events().length > 0;
    });
  const scrollTo = async (y: number) => {
    await page.evaluate((to) => window.scrollTo(0, to), y);
    await inWindow();
  };
  const hide = (hidden: boolean) =>
    page.evaluate((now) => (Reflect.get(window, 'hide') as (now: boolean) => void)(now), hidden);
  const say = (call: (afterword: Afterword) => unknown) =>
    page.evaluate(`afterword.push(${call.toString()})`) as Promise<void>;
  /** Leaves the page, whose view is reported at the latest then; resolves when all that it sent is here. */
  const leave = async (): Promise<ListReport[]> => {
    await hide(true);
    const sent = (await page.evaluate('sent')) as number;
    await until('the page has reported', () => {
      const came = stage.calls.filter(({ path }) => path === '/events').length;
      return came >= sent && stage.events().some(({ action }) => action === 'pageview');
    });
    return reports();
  };
  /** An event that is sent again, as its answer was not waited for, is the same. */
  const events = (): IncomingEvent[] => {
    const lists = stage.events().filter(({ action }) => action === 'list');
    return [...new Map(lists.map((event) => [event.eid, event])).values()];
  };
  const reports = (): ListReport[] => events().flatMap(({ lists }) => lists ?? []);
  const post = (number: number) => `${stage.site}/post-${number}`;
  const item = (position: number, source = 'words') => [position, post(position), source, 0];
  const END = { list: 'related', slot: 'end', layout: 'grid' };

  it('says its kind, slot and layout, and of each item that was seen its place, post and source', async () => {
    await opened(RELATED, { lists: 1 });
    await page.clock.runFor(1000);
    expect(await leave()).toEqual([{ ...END, shown: true, seen: [item(1), item(2, 'readers'), item(3, 'recent')] }]);
    const [event] = events();
    expect(event).toMatchObject({ idsite: 'example.com', url: `${stage.site}/article` });
    expect(event!.eid).toMatch(/^[0-9a-f]{32}$/);
  });

  it('that was in the window for less than a second was not seen', async () => {
    await opened(RELATED, { lists: 1 });
    await page.clock.runFor(900);
    expect(await leave()).toEqual([]);
  });

  it('below the fold was not shown', async () => {
    await opened(`${RELATED}${FAR}${TOP}`, { lists: 2, attributes: 'data-lazy="off"' });
    await page.clock.runFor(60_000);
    expect((await leave()).map(({ list }) => list)).toEqual(['related']);
  });

  it('that is scrolled past in 0.3 seconds was not seen, and one that is stopped at was', async () => {
    await opened(`${FAR}${RELATED}${FAR}${TOP}`, { lists: 2, attributes: 'data-lazy="off"' });
    await page.clock.runFor(5000);
    await page.locator('[data-slot=end]').scrollIntoViewIfNeeded();
    await inWindow();
    await page.clock.runFor(300);
    await page.locator('[data-afterword=top]').scrollIntoViewIfNeeded();
    await inWindow();
    await page.clock.runFor(1000);
    await scrollTo(0);
    await page.clock.runFor(5000);
    const top = { list: 'top', slot: '2', layout: 'list', shown: true };
    const popular = (position: number) => [position, `${stage.site}/top-${position}`, 'popular', 0];
    expect(await leave()).toEqual([{ ...top, seen: [popular(1), popular(2)] }]);
  });

  it('is seen once a page view, however often it comes back into the window, and again in the next view', async () => {
    await opened(`${RELATED}${FAR}`, { lists: 1 });
    for (let time = 0; time < 3; time++) {
      await page.clock.runFor(1500);
      await scrollTo(4000);
      await page.clock.runFor(1500);
      await scrollTo(0);
    }
    await say((a) => a.refresh());
    await page.clock.runFor(5000);
    expect((await leave()).flatMap(({ seen }) => seen)).toHaveLength(3);
    await hide(false);
    await say((a) => a.view());
    await page.clock.runFor(1000);
    await hide(true);
    await until('it is seen again', () => reports().length === 2);
    expect(reports()[1]).toEqual({ ...END, shown: true, seen: [item(1), item(2, 'readers'), item(3, 'recent')] });
  });

  it('is not seen in a hidden tab', async () => {
    await opened(RELATED, { lists: 1 });
    await page.clock.runFor(500);
    await hide(true);
    await page.clock.runFor(60_000);
    await hide(false);
    await page.clock.runFor(900);
    await hide(true);
    await until('the view is reported', () => stage.events().length > 0);
    expect(reports()).toEqual([]);
    await hide(false);
    await page.clock.runFor(1000);
    expect((await leave()).length).toBe(1);
  });

  it('is seen by half: of its item, or of the window where that is lower', async () => {
    await page.setViewportSize({ width: 900, height: 300 });
    const tall =
      '<template><a data-field="url" style="display:block;height:900px"><b data-field="title"></b></a></template>';
    await opened(
      `<div style="height:160px"></div><div data-afterword="top" data-limit="2" data-columns="1">${tall}</div>`,
      {
        lists: 1,
      },
    );
    const top = await page
      .locator('[part=item]')
      .first()
      .evaluate((item) => item.getBoundingClientRect().top);
    await scrollTo(Math.floor(top) - 160);
    await page.clock.runFor(5000);
    expect(await leave()).toEqual([]);
    await hide(false);
    await scrollTo(Math.ceil(top) - 140);
    await page.clock.runFor(1000);
    await hide(true);
    await until('it is seen', () => reports().length === 1);
    expect(reports()[0]!.seen!.map(([position]) => position)).toEqual([1]);
  });

  it('is clicked by pointer, keyboard and middle button, each in an event of its own', async () => {
    await opened(RELATED, { lists: 1 });
    await page.evaluate(() => {
      for (const type of ['click', 'auxclick']) addEventListener(type, (event) => event.preventDefault());
    });
    const link = (number: number) => page.locator('li a').nth(number - 1);
    const clicked = async (count: number) => {
      await page.clock.runFor(1000);
      await until('it is reported', () => events().filter(({ lists }) => lists?.[0]?.clicked).length === count);
    };
    await link(1).click();
    await clicked(1);
    await link(2).focus();
    await page.keyboard.press('Enter');
    await clicked(2);
    await link(3).click({ button: 'middle' });
    await clicked(3);
    await link(1).click({ modifiers: ['Control'] });
    await clicked(4);
    await link(1).click({ button: 'right' });
    await leave();
    const clicks = reports().flatMap(({ clicked }) => clicked ?? []);
    expect(clicks).toEqual([item(1), item(2, 'readers'), item(3, 'recent'), item(1)]);
    expect(reports().filter(({ shown }) => shown)).toHaveLength(1);
    const dates = events().map(({ date }) => Number(date));
    expect(dates).toEqual([...dates].sort((one, other) => one - other));
  });

  it('has the order of its slot on the page, whichever is answered first, and costs one request more', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const posts = json({ data: records(10, stage.site), success: true });
    stage.answer('/v2/related', async (call, response) => {
      await held;
      posts(call, response);
    });
    const body = '<div data-afterword="related" data-limit="1"></div>';
    await page.goto(stage.page('/article', articlePage(stage, `${body}${TOP}<p>Text</p>${TOP.replace('2', '1')}`)));
    await drawn(2);
    release();
    await drawn(3);
    await viewed();
    const lists = await leave();
    expect(lists.map(({ list, slot }) => [list, slot]).sort()).toEqual([
      ['related', '1'],
      ['top', '2'],
      ['top', '3'],
    ]);
    expect(stage.calls.filter(({ path }) => path === '/events').length).toBeLessThanOrEqual(2);
  });

  it.each([true, false])('is reported once the reader agrees, after the view; was hidden: %s', async (hidden) => {
    await opened(RELATED, { lists: 1, attributes: 'data-consent="required"' });
    await page.mouse.move(10, 10);
    await page.clock.runFor(5000);
    if (hidden) for (const now of [true, false]) await hide(now);
    await page.clock.runFor(1000);
    expect(stage.events()).toEqual([]);
    await say((a) => a.consent(true));
    await page.clock.runFor(5000);
    expect(await leave()).toHaveLength(1);
    expect(stage.events()[0]!.action).toBe('pageview');
  });

  it('was shown before the next page of an application is viewed', async () => {
    await opened(`${FAR}${RELATED}`, { lists: 1, attributes: 'data-lazy="off"' });
    await viewed();
    await scrollTo(5000);
    await page.clock.runFor(1500);
    await page.evaluate(() => history.pushState(null, '', '/next'));
    await page.clock.runFor(500);
    await leave();
    const order = stage.events().map(({ action, url }) => `${action} ${new URL(url).pathname}`);
    expect(order.indexOf('list /article')).toBe(order.indexOf('pageview /next') - 1);
  });

  it('is not reported where data-track does not name it, and without an id under Global Privacy Control', async () => {
    await opened(RELATED, { lists: 1, attributes: 'data-track="pageview"' });
    await page.clock.runFor(5000);
    expect(await leave()).toEqual([]);
    stage.calls.length = 0;
    await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
    await opened(RELATED, { lists: 1 });
    await page.clock.runFor(5000);
    expect(await leave()).toHaveLength(1);
    expect(events()[0]!.data).toEqual({ parsely_site_uuid: 'OPTOUT' });
  });
});
