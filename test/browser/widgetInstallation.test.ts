// A page that carries an installation of the family's own tracker and widgets, of which only the hosts are changed: our lists show
// on it, and its readers are counted, by the real application.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeInBrowser, shortenPauses } from '../support/browser.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

/** Hosts such pages name; all that is changed is these. */
const HOSTS = /https:\/\/(?:cdn|api|srv-[\w-]+)\.parsely\.com/g;

/** As the pages have it: the WordPress plugin's script, the snippet that makes its script, a settings object. */
const TRACKERS: Record<string, string> = {
  'a marked script, as the WordPress plugin writes it':
    '<script data-parsely-site="example.com" src="https://cdn.parsely.com/keys/example.com/p.js" id="parsely-cfg"></script>',
  'a marked element, and a script that adds the script':
    '<div id="parsely-root" style="display:none"><span id="parsely-cfg" data-parsely-site="example.com"></span></div><script>' +
    "(function (s, p, d) { var e = d.createElement(s); e.async = true; e.src = p; d.getElementById('parsely-root').appendChild(e); })" +
    "('script', 'https://cdn.parsely.com/p.js', document);</script>",
  'the Site ID in the path alone': '<script async src="https://cdn.parsely.com/keys/example.com/p.js"></script>',
  'a settings object': `<script>window.PARSELY = window.PARSELY || {}; PARSELY.apikey = 'example.com'</script><script src="https://cdn.parsely.com/p.js"></script>`,
};

/** What scripts around it do: wait for it, read the reader's id, and ask for a list by that, in parameters of old. */
const AROUND = `<ul id="recommended"></ul><script>
window.PARSELY = Object.assign(window.PARSELY || {}, {
  onReady: function () { window.ready = true; },
  onload: function () {
    window.uuid = PARSELY.config.parsely_site_uuid;
    window.list = function (answer) {
      answer.data.forEach(function (post) {
        var item = document.createElement('li'), link = document.createElement('a');
        link.href = post.url;
        link.textContent = post.title;
        item.appendChild(link);
        document.getElementById('recommended').appendChild(item);
      });
    };
    var script = document.createElement('script');
    script.src = 'https://api.parsely.com/v2/related?apikey=example.com&limit=3&sort=score&boost=views&strategy=personalized' +
      '&uuid=' + PARSELY.config.parsely_site_uuid + '&url=' + encodeURIComponent(location.href) + '&callback=list&_=1';
    document.body.appendChild(script);
  }
});</script>`;

describeInBrowser('a page with an installation of old', (browser) => {
  let stage: Stage;
  let room: Newsroom;
  let page: Page;
  let pages = 0;

  beforeAll(async () => {
    stage = await openStage();
    room = await openNewsroom({ now: Date.now(), id: 'example.com' });
    await replaceSite(room.deps.sites, { ...room.site, domains: ['127.0.0.1'] });
    for (let n = 0; n < 12; n++) {
      await room.write(`${stage.site}/page-${n}`, { title: `Page ${n}`, pubDate: Date.now() - n * 3_600_000 });
    }
    // The host is the real application, but for the files, which it serves in the same way.
    for (const path of ['/v2/', '/events']) {
      stage.answer(path, async (call, response) => {
        const query = call.query.size > 0 ? `?${call.query}` : '';
        const request = {
          method: call.method,
          headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/147.0.0.0' },
          ...(call.body && { body: call.body }),
        };
        const answer = await room.app.request(`${stage.host}${call.path}${query}`, request);
        response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
      });
    }
  });
  afterAll(async () => {
    await stage.close();
    await room.close();
  });
  beforeEach(async () => {
    stage.calls.length = 0;
    page = await browser().newPage({ viewport: { width: 800, height: 2000 } });
    await page.addInitScript(shortenPauses);
  });
  afterEach(() => page.context().close());

  async function open(body: string): Promise<string> {
    const html = `<!doctype html><html lang="en"><head><title>Old</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`;
    const url = stage.page(`/page-${pages++}`, html.replace(HOSTS, stage.host));
    await page.goto(url);
    return url;
  }

  async function views(url: string): Promise<number | undefined> {
    room.setNow(Date.now() + 1000);
    return (await room.ask('/analytics/post/detail', { url })).data[0]?.metrics.views;
  }

  it.each(Object.keys(TRACKERS))('shows our lists and counts its readers, with %s', async (name) => {
    const url = await open(AROUND + TRACKERS[name]);
    await until('the page’s own widget has a list', async () => (await page.locator('#recommended a').count()) === 3);
    const listed = await page
      .locator('#recommended a')
      .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));
    expect(listed).not.toContain(url);
    await until('the view is counted', async () => (await views(url)) === 1);
    const visitor = await page.evaluate('window.uuid');
    expect(visitor).toMatch(/^pid=[0-9a-f]{32}$/);
    await until('the profile has learned of it', async () => {
      const { data } = await room.ask('/history', { uuid: visitor as string });
      return (data as unknown as { urls: string[] }).urls.includes(url);
    });
    expect(await page.evaluate('window.ready')).toBe(true);
    await page.evaluate('PARSELY.conversions.trackNewsletterSignup("footer")');
    await until('the conversion is counted', async () => {
      const { data } = await room.ask('/conversions/url', { url });
      return data.some(
        ({ conversion_type, conversion_label }) =>
          `${conversion_type} ${conversion_label}` === 'newsletter_signup footer',
      );
    });
  });

  it('fills slots of ours on it, too', async () => {
    await open(`${Object.values(TRACKERS)[0]}<div data-afterword="related" data-limit="3"></div>`);
    await until('the list shows', async () => (await page.locator('[data-afterword] a').count()) === 3);
  });

  it('counts a page that reports its views itself', async () => {
    await open(`<script>PARSELY = { autotrack: false }</script>${Object.values(TRACKERS)[0]}`);
    await page.waitForFunction('PARSELY.loaded');
    const before = (await views(`${stage.site}/page-11`)) ?? 0;
    await page.evaluate(`PARSELY.beacon.trackPageView({ url: '${stage.site}/page-11' })`);
    await until('the view is counted', async () => (await views(`${stage.site}/page-11`)) === before + 1);
    const reported = stage.events().filter(({ action }) => action === 'pageview');
    expect(reported.map(({ url }) => url)).toEqual([`${stage.site}/page-11`]);
    for (const { url } of stage.events()) expect(url).toMatch(/^http/);
  });
});
