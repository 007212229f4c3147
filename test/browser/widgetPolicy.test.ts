// Pages that forbid things: policies, blocked storage, readers who object. The list still shows.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Afterword } from '../../widget/commands.ts';
import { describeInBrowser, shortenPauses } from '../support/browser.ts';
import { articlePage, json, openStage, records, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const SLOT = '<div data-afterword="related"></div>';

describeInBrowser('a page that forbids things', (browser) => {
  let stage: Stage;
  let context: BrowserContext;
  let page: Page;
  let paths = 0;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    stage.calls.length = 0;
    context = await browser().newContext({ viewport: { width: 800, height: 2000 } });
    await context.addInitScript(shortenPauses);
    page = await context.newPage();
  });
  afterEach(() => context.close());

  const path = (): string => `/page-${paths++}`;
  const asked = (what: string) => stage.calls.filter((call) => call.path === what);
  const listed = () => page.locator('[data-afterword] a').count();

  async function open(html: string, headers: Record<string, string> = {}): Promise<void> {
    await page.goto(stage.page(path(), html, headers));
  }

  /** What a page needs to say for the widget, as docs/widget.md lists it; `change` is what one publisher says instead. */
  function policy(change: Record<string, string>): Record<string, string> {
    const directives = {
      'default-src': "'none'",
      'script-src': stage.host,
      'connect-src': stage.host,
      'img-src': 'data:',
      ...change,
    };
    const header = Object.entries(directives).map(([name, value]) => `${name} ${value}`);
    return { 'Content-Security-Policy': header.join('; ') };
  }

  function withNonce(): string {
    return articlePage(stage, SLOT, 'nonce="abc"');
  }

  it('shows its list and reports under the strictest policy that names our host', async () => {
    const violations: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) violations.push(message.text());
    });
    await open(articlePage(stage, SLOT), policy({}));
    await until('the list shows', async () => (await listed()) === 5);
    await until('the view is reported', () => stage.events().length > 0);
    expect(violations).toEqual([]);
  });

  it('follows a nonce with strict-dynamic', async () => {
    await open(withNonce(), policy({ 'script-src': "'nonce-abc' 'strict-dynamic'" }));
    await until('the list shows', async () => (await listed()) === 5);
  });

  it('holds where Trusted Types are required', async () => {
    await open(articlePage(stage, SLOT), policy({ 'require-trusted-types-for': "'script'" }));
    await until('the list shows', async () => (await listed()) === 5);
  });

  it('runs from the page’s own host, with nothing else allowed', async () => {
    const own = { 'script-src': "'self'", 'connect-src': "'self'" };
    const html = articlePage(stage, SLOT);
    stage.answer('/own-page', (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', ...policy(own) }).end(html);
    });
    await page.goto(`${stage.host}/own-page`);
    await until('the list shows', async () => (await listed()) === 5);
  });

  it('runs where the policy names nothing but the hash of the frozen file', async () => {
    const hashes = (await (await fetch(`${stage.host}/integrity.json`)).json()) as Record<string, string>;
    const [[file, hash]] = Object.entries(hashes) as [[string, string]];
    const html = articlePage(stage, SLOT, `integrity="${hash}" crossorigin`).replace('/afterword.js', `/${file}`);
    await open(html, policy({ 'script-src': `'${hash}'` }));
    await until('the list shows', async () => (await listed()) === 5);
  });

  it('asks by JSON-P under Trusted Types, by a policy of its own name', async () => {
    const typed = { 'require-trusted-types-for': "'script'", 'trusted-types': 'afterword' };
    await open(
      articlePage(stage, `${SLOT}<div data-afterword="top"></div>`),
      policy({ ...typed, 'connect-src': "'none'" }),
    );
    await until('both lists show', async () => (await listed()) === 10);
    for (const { query } of stage.calls.filter(({ path: asks }) => asks.startsWith('/v2/')))
      expect(query.has('callback')).toBe(true);
  });

  it('reports by pictures where connections are refused', async () => {
    await open(articlePage(stage, SLOT), policy({ 'connect-src': "'none'", 'img-src': `data: ${stage.host}` }));
    const pixels = () => stage.calls.filter(({ path: asks, query }) => asks === '/plogger/' && query.has('idsite'));
    const [view] = await until('the view is reported', () => (pixels().length > 0 ? pixels() : undefined));
    expect(Object.fromEntries(view!.query)).toMatchObject({
      idsite: 'example.com',
      action: 'pageview',
      url: page.url(),
    });
    expect(JSON.parse(view!.query.get('data')!).parsely_site_uuid).toMatch(/^[0-9a-f]{32}$/);
    expect(view!.query.get('eid')).toMatch(/^[0-9a-f]{32}$/);
    await page.evaluate(() => {
      (window.afterword as unknown as { conversion(type: string): void }).conversion('subscription');
    });
    const conversion = await until('the conversion is reported', () =>
      pixels().find(({ query }) => query.get('action') === 'conversion'),
    );
    expect(JSON.parse(conversion.query.get('data')!)._conversion_type).toBe('subscription');
    expect(stage.events()).toEqual([]);
  });

  it.each(['related', 'top'])('asks for the %s list by JSON-P where connections are refused', async (kind) => {
    const html = articlePage(stage, `<div data-afterword="${kind}"></div>`, 'nonce="abc"');
    await open(html, policy({ 'connect-src': "'none'", 'script-src': `'nonce-abc' ${stage.host}` }));
    await until('the list shows', async () => (await listed()) === 5);
    const calls = stage.calls.filter((call) => /^\/v2\/(related|top)/.test(call.path));
    expect(calls).toHaveLength(1);
    expect(calls[0]!.query.get('callback')).toMatch(/^[A-Za-z_]\w+$/);
  });

  it('uses JSON-P alone where an attribute says so', async () => {
    await open(articlePage(stage, `${SLOT}<div data-afterword="top"></div>`, 'data-transport="jsonp"'));
    await until('both lists show', async () => (await listed()) === 10);
    for (const call of stage.calls.filter(({ path: asks }) => asks.startsWith('/v2/'))) {
      expect(call.query.has('callback'), call.path).toBe(true);
    }
  });

  it('does not ask by JSON-P when the server is merely away', async () => {
    stage.answer('/v2/related', (_, response) => void response.destroy());
    await open(articlePage(stage, SLOT));
    await until('it was asked', () => asked('/v2/related').length > 0);
    await page.waitForFunction(() => !document.querySelector('[data-afterword]')!.shadowRoot?.querySelector('nav'));
    expect(asked('/v2/related').some(({ query }) => query.has('callback'))).toBe(false);
    stage.answer('/v2/related', json({ data: records(10, stage.site), success: true }));
  });

  const storage: Record<string, () => Promise<unknown>> = {
    'throws at once': () =>
      page.addInitScript(() => {
        indexedDB.open = () => {
          throw new DOMException('no', 'SecurityError');
        };
      }),
    'is missing': () => page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined })),
    'never opens': () => page.addInitScript(() => Object.assign(indexedDB, { open: () => ({}) })),
    'is full': () =>
      page.addInitScript(() => {
        IDBObjectStore.prototype.put = () => {
          throw new DOMException('full', 'QuotaExceededError');
        };
      }),
  };
  it.each(Object.keys(storage))(
    'shows its list and counts the view, but trains no profile, when storage %s',
    async (name) => {
      await storage[name]!();
      await open(articlePage(stage, SLOT));
      await until('the list shows', async () => (await listed()) === 5);
      const [view] = await until('the view is reported', () =>
        stage.events().length > 0 ? stage.events() : undefined,
      );
      expect(view!.data!.parsely_site_uuid).toMatch(/^[0-9a-f]{32}$/);
      expect(asked('/v2/related')[0]!.query.has('uuid')).toBe(false);
      expect(asked('/v2/profile')).toEqual([]);
    },
  );

  it.each([
    ['refuses', undefined],
    ['is missing', 'indexedDB'],
  ])('takes a no of the reader where storage %s', async (_, missing) => {
    await page.addInitScript((name) => {
      if (name) return void Object.defineProperty(window, name, { value: undefined });
      indexedDB.open = indexedDB.deleteDatabase = () => {
        throw new DOMException('no', 'SecurityError');
      };
    }, missing);
    await open(articlePage(stage, SLOT));
    const refuse = () =>
      new Promise<string>((resolve, reject) => {
        window.afterword ??= [];
        window.afterword.push((a: Afterword) => a.consent(false).then(() => resolve('taken'), reject));
      });
    expect(await page.evaluate(refuse)).toBe('taken');
  });

  it('shows its list in a frame that may not store anything', async () => {
    const inner = stage.page(path(), articlePage(stage, SLOT));
    await open(`<iframe sandbox="allow-scripts" src="${inner}" style="height:900px;width:600px"></iframe>`);
    await until('the list shows', async () => (await page.frames()[1]!.locator('[data-afterword] a').count()) === 5);
    expect(asked('/v2/profile')).toEqual([]);
  });

  it.each([
    ['Global Privacy Control', { globalPrivacyControl: true }],
    ['Do Not Track', { doNotTrack: '1' }],
  ])('keeps no id of a reader who sends %s, and still counts and lists', async (_, signal) => {
    await page.addInitScript((values) => {
      for (const [name, value] of Object.entries(values)) Object.defineProperty(navigator, name, { value });
    }, signal);
    await open(articlePage(stage, SLOT));
    await until('the list shows', async () => (await listed()) === 5);
    const [view] = await until('the view is reported', () => (stage.events().length > 0 ? stage.events() : undefined));
    expect(view!.data).toEqual({ parsely_site_uuid: 'OPTOUT' });
    expect(asked('/v2/related')[0]!.query.has('uuid')).toBe(false);
    expect(asked('/v2/profile')).toEqual([]);
    expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  });
});
