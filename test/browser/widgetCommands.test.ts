// What a page can say to the widget, and what the widget says to the page.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { IncomingEvent } from '../../server/contract/wire.ts';
import type { Afterword } from '../../widget/commands.ts';
import { describeInBrowser } from '../support/browser.ts';
import { articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

const SLOT = '<div data-afterword="related" data-limit="3"></div>';

describeInBrowser('the page and the widget talk', (browser) => {
  let stage: Stage;
  let page: Page;
  let pages = 0;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
  });

  const open = (body: string, attributes = '') =>
    page.goto(stage.page(`/page-${pages++}`, articlePage(stage, body, attributes)));
  const links = () => page.locator('[data-afterword] a');
  const listed = (count: number) => until(`${count} posts are listed`, async () => (await links().count()) === count);
  const reported = (action: string) =>
    until(`a ${action} is reported`, () => {
      const found = stage.events().filter((event) => event.action === action);
      return found.length > 0 ? found : undefined;
    }) as Promise<[IncomingEvent, ...IncomingEvent[]]>;

  /** Runs in the page, with what `push` gives. */
  async function say<T>(command: (afterword: Afterword) => T | Promise<T>): Promise<T> {
    const handle = await page.evaluateHandle(
      () =>
        new Promise<Afterword>((resolve) => {
          window.afterword ??= [];
          window.afterword.push(resolve);
        }),
    );
    return handle.evaluate(command);
  }

  it('by a queue that is there before the script', async () => {
    await open(
      `<script>(window.afterword ||= []).push((a) => a.on('render', () => (window.heard = 1)))</script>${SLOT}`,
    );
    await listed(3);
    await page.waitForFunction(() => Reflect.get(window, 'heard') === 1);
  });

  it('by a queue in which something fails, which costs nothing else', async () => {
    const failed: string[] = [];
    page.on('pageerror', ({ message }) => failed.push(message));
    const queue = `[() => { throw new Error('of the page') }, 'no function', () => (window.heard = 1)]`;
    await open(`<script>afterword = ${queue}</script>${SLOT}`);
    await listed(3);
    expect(await page.evaluate(() => Reflect.get(window, 'heard'))).toBe(1);
    expect(failed, 'as any other mistake of the page').toEqual([
      'of the page',
      expect.stringContaining('not a function'),
    ]);
  });

  it('about consent: nothing before, everything after, nothing again', async () => {
    await open(SLOT, 'data-consent="required"');
    await listed(3);
    const before = await page.evaluate(() => Date.now());
    expect(await say((a) => a.visitor())).toBeUndefined();
    await say((a) => a.consent(false));
    const stored = () => page.evaluate(async () => (await indexedDB.databases()).length);
    expect(await stored(), 'a no leaves nothing').toBe(0);
    await say((a) => a.consent(true));
    const views = await reported('pageview');
    expect(views).toHaveLength(1);
    expect(Number(views[0].date)).toBeGreaterThanOrEqual(before);
    const id = await say((a) => a.visitor());
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(views[0].data).toEqual({ parsely_site_uuid: id });
    await until('the profile is trained', () => stage.calls.some(({ path }) => path === '/v2/profile'));
    await say((a) => a.consent(false));
    expect(await say((a) => a.visitor())).toBeUndefined();
    expect(await stored()).toBe(0);
    await page.reload();
    await listed(3);
    await say((a) => a.consent(true));
    expect(await say((a) => a.visitor()), 'the old id was deleted').not.toBe(id);
  });

  it('about forgetting', async () => {
    await open(SLOT);
    const id = await say((a) => a.visitor());
    await say((a) => a.forget());
    expect(await say((a) => a.visitor())).toBeUndefined();
    await page.reload();
    expect(await say((a) => a.visitor())).not.toBe(id);
  });

  it('about an id the site has already', async () => {
    await open(SLOT, 'data-visitor="auth0|reader 42"');
    expect(await say((a) => a.visitor())).toBe('auth0|reader 42');
    await listed(3);
    expect(stage.calls.find(({ path }) => path === '/v2/related')!.query.getAll('uuid')).toEqual(['auth0|reader 42']);
  });

  it('about training and conversions', async () => {
    await open('');
    await say((a) => a.train('https://example.com/elsewhere'));
    expect(stage.calls.some(({ query }) => query.get('url') === 'https://example.com/elsewhere')).toBe(true);
    await say((a) => a.conversion('subscription', 'yearly'));
    const [conversion] = await reported('conversion');
    expect(conversion.data).toMatchObject({ _conversion_type: 'subscription', _conversion_label: 'yearly' });
  });

  it('about a slot that was made later, and one to be shown anew', async () => {
    await open('<main></main>');
    const type = await say(async (a) => {
      const slot = document.createElement('section');
      slot.dataset.limit = '2';
      document.querySelector('main')!.append(slot);
      return (await a.render(slot)).type;
    });
    expect(type).toBe('afterword:render');
    expect(await links().count()).toBe(2);
    stage.answer(
      '/v2/related',
      json({ data: records(9, stage.site, (i) => ({ title: `Fresh ${i}` })), success: true }),
    );
    await say((a) => a.refresh());
    await until('the list is fresh', async () => (await links().first().textContent()) === 'Fresh 0');
    stage.answer('/v2/related', (_, response) => void response.destroy());
    await say((a) => a.refresh());
    await until('the failure is met', () => stage.calls.filter(({ path }) => path === '/v2/related').length >= 4);
    expect(await links().first().textContent(), 'the last good list stays').toBe('Fresh 0');
    const render = () => say(async (a) => (await a.render(document.querySelector('section')!)).type);
    expect(await render()).toBe('afterword:error');
    // Not the failure once more: a button of the page that says "try again" does.
    stage.answer('/v2/related', json({ data: records(3, stage.site), success: true }));
    expect(await render()).toBe('afterword:render');
  });

  it('about a slot in the shadow root of a component, again after a navigation', async () => {
    await open('<main></main>');
    const render = () =>
      say(async (a) => {
        const main = document.querySelector('main')!;
        const root = main.shadowRoot ?? main.attachShadow({ mode: 'open' });
        if (!root.firstChild) root.append(Object.assign(document.createElement('div'), { id: 'slot' }));
        const slot = root.querySelector('div')!;
        Object.assign(slot.dataset, { afterword: 'top', limit: '2', slot: 'end' });
        return (await a.render(slot)).type;
      });
    expect(await render()).toBe('afterword:render');
    expect(await page.locator('main #slot a').count()).toBe(2);
    const fresh = (index: number) => ({ title: `Fresh ${index}` });
    stage.answer('/v2/top', json({ data: records(9, stage.site, fresh), success: true }));
    await page.evaluate(() => history.pushState(null, '', '/next'));
    await until('the next page is viewed', () => stage.events().some(({ url }) => url.endsWith('/next')));
    expect(await render()).toBe('afterword:render');
    expect(await page.locator('main #slot a').allTextContents()).toEqual(['Fresh 0', 'Fresh 1']);
  });

  it('about slots the page puts in by itself', async () => {
    await open('<main></main>');
    await page.evaluate(() => {
      document.querySelector('main')!.innerHTML = '<afterword-top data-limit="2"></afterword-top>';
    });
    await until('it shows', async () => (await page.locator('afterword-top a').count()) === 2);
  });

  it('about a list whose element says its kind, in reports too, and not of a menu that is opened', async () => {
    await open('<afterword-top data-limit="2"></afterword-top>');
    expect(await say(async (a) => (await a.render(document.querySelector('afterword-top')!)).type)).toBe(
      'afterword:render',
    );
    expect(await page.getByRole('heading').allTextContents()).toEqual(['Most read']);
    await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()));
    await links().last().click({ button: 'right' });
    await links().first().click();
    const clicks = await until('the click is reported', () => {
      const found = stage.events().filter(({ lists }) => lists?.[0]?.clicked);
      return found.length > 0 ? found : undefined;
    });
    const clicked = clicks.flatMap(({ lists }) => lists!).map(({ list, clicked }) => [list, clicked![0]![1]]);
    expect(clicked).toEqual([['top', `${stage.site}/post-1`]]);
  });

  it('by events that bubble', async () => {
    await open(
      `<script>heard = []; for (const type of ['load', 'render', 'impression', 'click']) addEventListener('afterword:' + type, (event) => heard.push(event.type))</script>${SLOT}`,
    );
    const heard = () => page.evaluate(() => Reflect.get(window, 'heard') as string[]);
    await listed(3);
    await until('it is seen', async () => (await heard()).includes('afterword:impression'));
    await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()));
    await links().first().click();
    await until('all is heard', async () => (await heard()).length === 4);
    expect(await heard()).toEqual(['afterword:load', 'afterword:render', 'afterword:impression', 'afterword:click']);
  });

  it('when a reader shares the page', async () => {
    const places = {
      none: 'https://www.facebook.com/ourpaper',
      other: 'https://www.netflix.com/share/x',
      fb: 'https://www.facebook.com/sharer/sharer.php?u=x',
      tw: 'https://x.com/intent/post?url=x',
      li: 'https://www.linkedin.com/sharing/share-offsite/?url=x',
      pi: 'https://www.pinterest.com/pin/create/button/?url=x',
    };
    await open(
      Object.entries(places)
        .map(([id, url]) => `<a id="${id}" href="${url}"><b>Share</b></a>`)
        .join(' '),
    );
    await reported('pageview');
    await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()));
    for (const id of Object.keys(places)) await page.locator(`#${id} b`).click();
    // Slow clicks are reported one by one.
    const shares = await until('the last is reported', async () => {
      const networks = (await reported('share')).map(({ data }) => data!.network);
      return networks.includes('pi') ? networks : undefined;
    });
    expect(shares).toEqual(['fb', 'tw', 'li', 'pi']);
  });

  it('when a video plays aloud', async () => {
    await open('<video title="Film" data-url="https://example.com/film"></video>');
    await page.evaluate(() => {
      const video = document.querySelector('video')!;
      Reflect.set(window, 'paused', false);
      Object.defineProperty(video, 'paused', { get: () => Reflect.get(window, 'paused') });
    });
    const [start] = await reported('videostart');
    expect(start.metadata).toEqual({ link: 'https://example.com/film', title: 'Film' });
    await page.evaluate(() => Reflect.set(window, 'paused', true));
    const [watched] = await reported('vheartbeat');
    expect(watched.metadata).toEqual(start.metadata);
    expect(watched.inc).toBeGreaterThanOrEqual(1);
    await page.goto(stage.page('/away', '<title>Away</title>'));
    const [beat] = await reported('heartbeat');
    expect(beat.inc, 'watching is reading').toBeGreaterThanOrEqual(1);
  });

  it('reports only what data-track names', async () => {
    await open(SLOT, 'data-track="pageview"');
    await reported('pageview');
    await say((a) => a.conversion('custom'));
    expect(stage.calls.some(({ path }) => path === '/v2/profile')).toBe(false);
    expect(stage.events().map(({ action }) => action)).toEqual(['pageview']);
  });

  it('reports no reading where data-track names the watching of videos', async () => {
    await open(SLOT, 'data-track="pageview vheartbeat"');
    await reported('pageview');
    const end = performance.now() + 1500;
    while (performance.now() < end) await page.mouse.move(300 + (performance.now() % 100), 300);
    await open('', 'data-track="pageview"');
    await until('the next view is reported', async () => (await reported('pageview')).length === 2);
    expect(stage.events().map(({ action }) => action)).toEqual(['pageview', 'pageview']);
  });

  it('fills a far slot at once where an attribute says so', async () => {
    const far = '<div style="height:9000px"></div><div data-afterword="top" data-limit="2"';
    await open(`${far} data-lazy="off"></div><div data-afterword="related"></div>`);
    await listed(2);
    expect(stage.calls.some(({ path }) => path.startsWith('/v2/related'))).toBe(false);
    await open(`${far}></div><div data-afterword="related" data-limit="3"></div>`, 'data-lazy="off"');
    await listed(5);
  });

  it('marks its links where an attribute says so, and lists the post once all the same', async () => {
    await open(
      '<div data-afterword="related" data-itm="itm_campaign=related"></div><div data-afterword="top" data-limit="2"></div>',
    );
    await listed(7);
    const urls = await links().evaluateAll((all) => all.map((a) => new URL((a as HTMLAnchorElement).href)));
    expect(urls.filter((url) => url.search === '?itm_campaign=related')).toHaveLength(5);
    expect(new Set(urls.map((url) => url.pathname)).size).toBe(7);
  });

  it('says what is wrong where it is asked to', async () => {
    const said: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') said.push(message.text());
    });
    stage.answer('/v2/related', json({ code: 403, message: 'Forbidden', success: false }));
    await open(SLOT, 'data-debug="1"');
    await until('it says so', () => said.some((text) => text.includes('afterword:')));
  });
});
