// Older installations in a real browser, of which only the host is changed: what they report arrives as they mean it, the real
// application stores it, and nothing throws in the page.
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PARSELY_SURFACE } from '../../server/contract/parselySurface.ts';
import type { IncomingEvent } from '../../server/contract/wire.ts';
import { VisitorIds } from '../../server/ingest/steps/visitorId.ts';
import { describeInBrowser } from '../support/browser.ts';
import { COOKIE_NAME, type OlderPages, type Open, openOlderPages, type Visit } from '../support/olderPages.ts';
import { until } from '../support/until.ts';
import { INSTALLATIONS, TAG } from './olderInstallations.ts';

describeInBrowser('an older installation', (browser) => {
  let older: OlderPages;
  beforeAll(async () => {
    older = await openOlderPages(browser());
  });
  afterAll(() => older.close());
  const visiting = (test: (visit: Open) => Promise<void>) => () => older.visiting(test);

  const toLine = ({ url }: Visit, event: IncomingEvent): string => {
    const { parsely_site_uuid, ...data } = event.data ?? {};
    const bare = (address = '') => (address.startsWith(url) ? address.slice(url.length - 1) : address);
    const said = [event.action, bare(event.url).replace(/\?.*/, '')];
    if (event.urlref) said.push('from', bare(event.urlref).replace(/\?.*/, ''));
    if (Object.keys(data).length > 0) said.push(JSON.stringify(data));
    return said.join(' ');
  };

  /** Views that the server has counted, of posts below the page. */
  async function viewsBelow(url: string): Promise<Record<string, number>> {
    const { data } = await older.room.ask('/analytics/posts', { limit: '500', days: '1' });
    const below = data.filter((post) => post.url.startsWith(url));
    return Object.fromEntries(below.map((post) => [post.url.slice(url.length - 1), post.metrics.views!]));
  }

  it.concurrent.each(Object.keys(INSTALLATIONS))('counts %s', (name) =>
    older.visiting(async (visit) => {
      const { room } = older;
      const { body, act: steps, events, views, throws = [] } = INSTALLATIONS[name]!;
      const visited = await visit(body);
      const write = (path: string) =>
        room.write(visited.url + path.slice(1), { title: path, pubDate: Date.now() - 60_000 });
      await Promise.all([...Object.keys(views).map(write), visited.act(steps)]);
      await until(`${events.length} events are here`, () => visited.events().length >= events.length);
      expect(visited.events().map((event) => toLine(visited, event))).toEqual(events);
      const counted = Object.fromEntries(Object.entries(views).filter(([, count]) => count > 0));
      const total = Object.values(counted).reduce((sum, count) => sum + count, 0);
      await until('the views are stored', async () => {
        const stored = Object.values(await viewsBelow(visited.url));
        return stored.reduce((sum, count) => sum + count, 0) >= total;
      });
      expect(await viewsBelow(visited.url)).toEqual(counted);
      expect(visited.errors.sort()).toEqual(throws);
    }),
  );

  it.concurrent(
    'has every function of its list, and none throws, whatever it is given',
    visiting(async (visit) => {
      const visited = await visit(TAG.replace('<script', '<script data-track="pageview conversion custom videostart"'));
      const calls = Object.entries(PARSELY_SURFACE).filter(([, { kind }]) => kind === 'function' || kind === 'ignored');
      await visited.act(`const cyclic = { url: 'http://[', data: '{"a', label: { b: 1 } }; cyclic.self = cyclic; cyclic.data = cyclic;
      const wide = {}; for (let n = 0; n < 1e4; n++) wide['field' + n] = wide['list' + n % 9] ??= [n];
      const odd = [undefined, null, 7, NaN, 'text', '', [], [1], {}, cyclic, () => 1, Symbol('s'), 1n, document, new Event('x'), 'x'.repeat(1e6)];
      window.missing = ${JSON.stringify(calls.map(([name]) => name))}.filter((name) => {
        const called = name.split('.').reduce((object, key) => object[key], PARSELY);
        if (typeof called !== 'function') return true;
        for (const one of odd) called(one, one, one);
      });
      // What is no yes was a no.
      PARSELY.setConsent(true);
      PARSELY.beacon.trackPageView({ url: '{path}/wide', data: wide, title: 'Wide' });`);
      expect(await visited.page.evaluate('missing')).toEqual([]);
      expect(visited.errors).toEqual([]);
      const wide = await until('the last view is here', () => visited.events().find(({ title }) => title === 'Wide'));
      expect(Object.keys(wide.data!).length).toBeLessThan(500);
      expect(await visited.page.evaluate('Object.keys(PARSELY.lastRequest).sort().join()')).toContain(
        'action,data,date',
      );
    }),
  );

  it.concurrent(
    'stores the referrer, the conversion and the video as they were reported',
    visiting(async (visit) => {
      const { room } = older;
      const visited = await visit(INSTALLATIONS['views reported by hand, with data about the reader']!.body);
      const { url } = visited;
      await room.write(`${url}next`, { title: 'Next' });
      await room.write(`${url}film`, { title: 'Film', pageType: 'video' });
      await visited.act(`PARSELY.beacon.trackPageView({ url: '{path}/next', urlref: 'https://www.google.com/', js: 1 });
      PARSELY.beacon.trackPageView({ action: 'conversion', url: '{path}/next', data: { _conversion_type: 'subscription', _conversion_label: 'Gold' } });
      PARSELY.video.trackPlay('{path}/film', { title: 'Film' });`);
      await until('the video is here', () => visited.events().some(({ action }) => action === 'videostart'));
      await until('the conversion is stored', async () => (await conversionsOf(`${url}next`))[0]);
      expect(await conversionsOf(`${url}next`)).toEqual(['subscription Gold']);
      const referrers = await older.room.ask('/referrers/post/detail', { url: `${url}next` });
      expect(referrers.data.map(({ name, type }) => `${type} ${name}`)).toEqual(['search google']);
      const videos = await older.room.ask('/analytics/videos', { limit: '100' });
      expect(videos.data.map((video) => [video.url, video.metrics.starts])).toContainEqual([`${url}film`, 1]);
    }),
  );

  const OLD = 'pid=0123456789abcdef0123456789abcdef';
  const plant = (value: string) => (context: BrowserContext) =>
    context.addCookies([{ name: COOKIE_NAME, value, url: older.stage.site }]);
  const idOf = (value: string): string => JSON.parse(unescape(value)).id;
  it.concurrent(
    'keeps the id of an old cookie: of views, of the profile, and of scripts around it',
    visiting(async (visit) => {
      const { room } = older;
      // As the WordPress plugin's list finds its reader.
      const list = `<script>function list() {
      var found = document.cookie.match(/(?:^|; )_parsely_visitor=([^;]+)/);
      var script = document.createElement('script');
      script.src = '{host}/v2/related?apikey=example.com&limit=5&callback=show&uuid=' + JSON.parse(unescape(found[1])).id;
      document.body.appendChild(script);
    }
    function show(answer) { window.shown = answer.data.map(function (post) { return post.url; }); }</script>`;
      const value = `{%22id%22:%22${OLD}%22%2C%22session_count%22:9%2C%22last_session_ts%22:1587541750687}`;
      const read = 'https://example.com/read-before';
      await Promise.all(
        [read, 'https://example.com/other'].map((url) => room.write(url, { title: url, pubDate: Date.now() - 60_000 })),
      );
      const visitor = new VisitorIds().of('example.com', { siteUuid: OLD, ip: '', userAgent: '' }, '');
      await room.happen({ url: read, visitor, time: Date.now() - 3 * 86_400_000 });
      await older.room.ask('/profile', { uuid: OLD, url: read });
      const visited = await visit(TAG + list, plant(value));
      await room.write(visited.url, { title: 'Returned to' });
      await visited.act('list(); await until(() => window.shown);');
      await until('the view is here', () => visited.events()[0]);
      expect(visited.events()[0]!.data).toEqual({ parsely_site_uuid: OLD });
      await until('the profile has learned', () => visited.trained().includes(OLD));
      expect(await visited.page.evaluate('PARSELY.config.parsely_site_uuid')).toBe(OLD);
      const shown = await visited.page.evaluate('shown');
      expect(shown).toContain('https://example.com/other');
      expect(shown, 'read before, under the same id').not.toContain(read);
      const [cookie] = await visited.cookies();
      expect(JSON.parse(unescape(cookie!))).toEqual({
        id: OLD,
        session_count: 9,
        last_session_ts: 1587541750687,
      });
      await until('the reader has returned', async () => {
        const { data } = await room.ask('/analytics/posts', { days: '1', sort: 'visitors_returning' });
        return data.find((post) => post.url === visited.url)?.metrics.visitors_returning === 1;
      });
    }),
  );

  it.concurrent(
    'writes the cookie of a new reader for thirteen months, with the id of its views',
    visiting(async (visit) => {
      const visited = await visit(TAG);
      await visited.act();
      await until('the view is here', () => visited.events()[0]);
      const [cookie, ...more] = (await visited.context.cookies()).filter(({ name }) => name === COOKIE_NAME);
      expect(more).toEqual([]);
      expect(cookie).toMatchObject({ path: '/', sameSite: 'Lax', secure: false, httpOnly: false });
      const days = (cookie!.expires - Date.now() / 1000) / 86_400;
      expect(days).toBeGreaterThan(394);
      expect(days).toBeLessThan(396);
      const id = idOf(cookie!.value);
      expect(id).toMatch(/^pid=[0-9a-f]{32}$/);
      expect(visited.events()[0]!.data).toEqual({ parsely_site_uuid: id });
      await until('the profile has learned', () => visited.trained().includes(id));
      // The next visit finds it, and a reader who takes it back leaves none.
      await visited.reload();
      expect(await visited.page.evaluate('PARSELY.config.parsely_site_uuid')).toBe(id);
      await visited.page.evaluate('new Promise((done) => afterword.push((a) => a.forget().then(done)))');
      expect(await visited.cookies()).toEqual([]);
    }),
  );

  it.concurrent.each([
    ['no JSON', '{%22id'],
    ['markup', encodeURIComponent('{"id":"<img src=x onerror=alert(1)>"}')],
    ['another type', encodeURIComponent('{"id":{"toString":1}}')],
    ['much too long an id', encodeURIComponent(`{"id":"pid=${'a'.repeat(65)}"}`)],
    ['too much around it', encodeURIComponent(`{"id":"${OLD}","more":"${'a'.repeat(3000)}"}`)],
    ['null', 'null'],
    ['a broken escape', '%E0%A4%A'],
  ])('ignores a cookie that holds %s, and puts one in its place', (_, value) =>
    older.visiting(async (visit) => {
      const visited = await visit(TAG, plant(value));
      const id = await visited.page.evaluate('PARSELY.config.parsely_site_uuid');
      expect(id).toMatch(/^pid=[0-9a-f]{32}$/);
      expect((await visited.cookies()).map(idOf)).toEqual([id]);
      expect(visited.errors).toEqual([]);
    }),
  );

  it.concurrent(
    'keeps the id that an AMP page has put into the cookie, which then has the form of the tracker',
    visiting(async (visit) => {
      const id = 'amp-n3cQ_7yX2o1-PqLw8sVbTA';
      const visited = await visit(TAG, plant(id));
      await until('the view is here', () => visited.events()[0]);
      expect(visited.events()[0]!.data).toEqual({ parsely_site_uuid: id });
      expect((await visited.cookies()).map(idOf)).toEqual([id]);
    }),
  );

  const signal = (context: BrowserContext) =>
    context.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
  const required = TAG.replace('<script', '<script data-consent="required"');
  const COOKIE = encodeURIComponent(`{"id":"${OLD}"}`);

  it.concurrent.each([
    ['the browser sends Global Privacy Control', TAG, signal, 'OPTOUT'],
    ['consent is required and not given', required, () => undefined, undefined],
    [
      'neither views nor the profile are reported',
      TAG.replace('<script', '<script data-track="none"'),
      () => undefined,
      undefined,
    ],
  ])('neither reads nor writes a cookie where %s', (_, tag, prepare, said) =>
    older.visiting(async (visit) => {
      for (const planted of [COOKIE, undefined]) {
        const visited = await visit(
          `<script>PARSELY = { onload() { window.called = true } }</script>${tag}`,
          async (context) => {
            // Reading is noticed, too.
            await context.addInitScript(() => {
              const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')!;
              const touched: string[] = Reflect.set(window, 'touched', []) ? Reflect.get(window, 'touched') : [];
              Object.defineProperty(Document.prototype, 'cookie', {
                get() {
                  touched.push('read');
                  return get!.call(this);
                },
                set(value) {
                  touched.push(value);
                  set!.call(this, value);
                },
              });
            });
            await prepare(context);
            if (planted) await plant(planted)(context);
          },
        );
        await visited.act();
        expect(await visited.page.evaluate('called')).toBe(true);
        expect(await visited.page.evaluate('touched')).toEqual([]);
        expect(await visited.cookies()).toEqual(planted ? [planted] : []);
        if (said) await until('the view is here', () => visited.events()[0]);
        expect(visited.events().map(({ data }) => data)).toEqual(said ? [{ parsely_site_uuid: said }] : []);
        expect(visited.trained()).toEqual([]);
      }
    }),
  );

  it.concurrent(
    'counts what was reported before a reader consents, and takes up the cookie then',
    visiting(async (visit) => {
      const byHand = INSTALLATIONS['views reported by hand, with data about the reader']!.body;
      const visited = await visit(byHand.replace(TAG, required), plant(COOKIE));
      expect(visited.events()).toEqual([]);
      // With the id, which a page that is left before storage has answered reports without.
      await visited.act(
        'await new Promise((done) => afterword.push((a) => a.consent(true).then(a.visitor).then(done)));',
      );
      await until('the view is here', () => visited.events()[0]);
      expect(visited.events().map(({ data }) => data)).toEqual([{ is_logged_in: false, parsely_site_uuid: OLD }]);
    }),
  );

  it.concurrent(
    'gives an old cookie’s id to the pages after this one where afterword.js was here first',
    visiting(async (visit) => {
      const tag = '<script src="{host}/afterword.js" data-site="example.com"></script>';
      const alone = await visit(tag);
      expect(await alone.cookies()).toEqual([]);
      const visited = await visit(tag + TAG, plant(COOKIE));
      await visited.reload();
      expect(await visited.page.evaluate('PARSELY.config.parsely_site_uuid')).toBe(OLD);
      await visited.page.evaluate('new Promise((done) => afterword.push((a) => a.consent(false).then(done)))');
      expect(await visited.cookies()).toEqual([]);
    }),
  );

  async function conversionsOf(url: string): Promise<string[]> {
    const { data } = await older.room.ask('/conversions/url', { url, limit: '100' });
    const here = data.filter((row) => row.url === url);
    return here.map(({ conversion_type, conversion_label }) => `${conversion_type} ${conversion_label}`);
  }
});
