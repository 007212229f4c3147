// The preview over HTTP: what its sample page lets in, and what it never lets in.

import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

let room: Newsroom;
const logged: string[] = [];
beforeAll(async () => {
  room = await openNewsroom({
    now: Date.parse('2040-03-20T15:30:00Z'),
    publicUrl: 'https://stats.example',
    resolve: async (host) => {
      if (host === 'intranet.paper.example') return ['10.11.12.13'];
      throw new Error(`${host} is not known`);
    },
    log: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
  });
});
afterAll(() => room.close());

const get = (path: string) => room.app.request(`http://10.0.0.1${path}`);
const sample = async (query: string) => await (await get(`/preview/page?apikey=paper.example&${query}`)).text();

test('the page names the server’s public address and the only site there is', async () => {
  const response = await get('/preview');
  const html = await response.text();
  expect(html).toContain('data-server="https://stats.example" data-site="paper.example"');
  expect(response.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
});

test('the sample page is what a publisher pastes, but counts no view and uses no profile', async () => {
  const html = await sample('kind=top&layout=grid&heading=Hello&days=7');
  expect(html).toContain('data-site="paper.example" data-consent="required" data-track="none"');
  expect(html).toContain('<div data-afterword="top" data-layout="grid" data-heading="Hello" data-days="7"></div>');
});

describe('nothing in the query becomes more than it should be', () => {
  test.each([
    ['heading=%22%3E%3Cscript%3Ealert(1)%3C/script%3E', '<script>alert'],
    ['lang=%22onload=%22x', 'onload'],
    ['scheme=%22%3E', 'data-scheme="&quot;'],
    ['accent=red;}body{display:none', 'display:none'],
    ['radius=1px;}*{}', '1px;'],
    ['onclick%3D%22x%22%20a=1', 'onclick'],
    ['track=pageview', 'data-track="pageview"'],
    ['visitor=me', 'data-visitor'],
    ['site=evil.example', 'evil.example'],
    [`heading=${'x'.repeat(10_000)}`, 'x'.repeat(501)],
  ])('%s', async (query, never) => {
    const html = await sample(query);
    expect(html).not.toContain(never);
    expect(html.match(/<script/g)).toHaveLength(1);
  });
});

test('a style sheet of the publisher is linked, by http or https alone, and lets nothing else in', async () => {
  const path = (css: string) => `/preview/page?apikey=paper.example&css=${encodeURIComponent(css)}`;
  const named = await get(path('https://paper.example/site.css?a="b"&c=1'));
  expect(await named.text()).toContain(
    '<link rel="stylesheet" href="https://paper.example/site.css?a=%22b%22&amp;c=1">',
  );
  const policy = named.headers.get('Content-Security-Policy')!;
  expect(policy).toMatch(/style-src 'self' 'sha256-[^']+' http: https:; font-src http: https: data:/);
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toContain('unsafe-inline');
  for (const css of ['javascript:alert(1)', 'data:text/css,*{}', '/site.css', '"><script>']) {
    const other = await get(path(css));
    expect(await other.text()).not.toContain('stylesheet');
    expect(other.headers.get('Content-Security-Policy')).not.toContain('font-src');
  }
});

test.each([
  '/preview/page',
  '/preview/own?apikey=other.example&url=https://a.example/',
  '/preview/own/page?apikey=other.example&url=https://a.example/',
  '/preview/page?apikey=other.example',
  '/preview/check?apikey=other.example&url=https://a.example/',
])('%s is forbidden: the site is unknown', async (path) => {
  expect(await (await get(path)).json()).toMatchObject({ code: 403, success: false });
});

describe('a page to be checked', () => {
  test.each(['', 'url=nonsense', 'url=file:///etc/passwd', 'url=javascript:alert(1)'])(
    '"%s" is refused by name',
    async (query) => {
      const body = await (await get(`/preview/check?apikey=paper.example&${query}`)).json();
      expect(body).toMatchObject({ code: 422, errors: { url: [expect.any(String)] } });
    },
  );

  test('of another host, or on a private address, is never fetched', async () => {
    for (const url of ['https://elsewhere.example/a', 'http://127.0.0.1:1/']) {
      const body = await (await get(`/preview/check?apikey=paper.example&url=${encodeURIComponent(url)}`)).json();
      expect(body).toMatchObject({ success: true, data: [{ about: 'page', state: 'problem' }] });
    }
  });

  test('by a name of the own network is answered like one by a name that means nothing, and the log says which', async () => {
    const answers = await Promise.all(
      ['intranet', 'nowhere'].map(async (name) => {
        const started = performance.now();
        const response = await get(`/preview/check?apikey=paper.example&url=http://${name}.paper.example/`);
        const { data } = (await response.json()) as { data: object[] };
        return { said: JSON.stringify(data).replaceAll(name, 'NAME'), took: performance.now() - started };
      }),
    );
    const [inside, nowhere] = answers;
    expect(inside!.said).toBe(nowhere!.said);
    expect(inside!.said).toContain('NAME.paper.example cannot be read from here');
    expect(inside!.said).not.toMatch(/10\.11\.12\.13|private/);
    // Looked up in no time, answered no sooner than after this pause: a slow look-up of an unknown name takes no longer.
    for (const { took } of answers) expect(took).toBeGreaterThan(1_900);
    expect(logged.join('')).toContain('intranet.paper.example leads to 10.11.12.13');
  });

  test('nor is it shown: of another host, on a private address, or by a name of the own network', async () => {
    // Long after what was read before.
    room.setNow(Date.parse('2040-03-20T17:30:00Z'));
    const pages = ['https://elsewhere.example/a', 'http://127.0.0.1:1/', 'http://intranet.paper.example/'];
    for (const page of pages) {
      const query = `apikey=paper.example&url=${encodeURIComponent(page)}`;
      const said = (await (await get(`/preview/own?${query}`)).json()) as { data: { says: string } };
      expect(said).toMatchObject({ success: true, data: { about: 'page', state: 'problem' } });
      expect(said.data.says).not.toMatch(/10\.11\.12\.13|private/);
      const shown = await get(`/preview/own/page?${query}`);
      expect(await shown.text()).toBe(`<p style="opacity:.7">${said.data.says}</p>`);
    }
  });

  test.each([
    '/preview/check?apikey=paper.example&url=https://elsewhere.example/a',
    '/preview/own?apikey=paper.example&url=https://elsewhere.example/a',
    '/preview/own/page?apikey=paper.example&url=https://elsewhere.example/a',
  ])('is not read again and again: %s', async (path) => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 8; turn++) statuses.push((await get(path)).status);
    expect(statuses.at(-1)).toBe(429);
  });

  test('which a frame says in words, and lets nothing run', async () => {
    const path = '/preview/own/page?apikey=paper.example&url=https://elsewhere.example/b';
    let answer = await get(path);
    while (answer.status === 200) answer = await get(path);
    expect(answer.status).toBe(429);
    expect(answer.headers.get('Retry-After')).toBe('10');
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/html/);
    expect(answer.headers.get('Content-Security-Policy')).toContain("sandbox; default-src 'none'");
    expect(await answer.text()).toMatch(/^<p style="opacity:.7">Too many pages .* in ten seconds\.<\/p>$/);
  });
});
