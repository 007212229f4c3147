// GET /v2/fragment/{related,top} over HTTP: the lists as HTML. How a browser shows them is tested in browser/widgetFragment.
import { createHash } from 'node:crypto';
import { Window } from 'happy-dom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const url = (name: string) => `https://paper.example/${name}`;
/** Words that set the posts apart: near copies are listed once. */
const FRUITS = 'apples pears plums cherries quinces medlars figs grapes olives lemons apricots almonds'.split(' ');
const HOSTILE = `</template></style><script>alert(1)</script><img src=x onerror=alert(1)> "' &amp;`;

let room: Newsroom;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW, timezone: 'Asia/Tokyo' });
  for (let n = 0; n < 12; n++) {
    await room.write(url(String(n)), {
      title: `Post ${n}: gardens and ${FRUITS[n]}`,
      section: n % 2 ? 'Odd' : 'Even',
      authors: [`Author ${n % 3}`],
      tags: ['garden'],
      pubDate: NOW - n * DAY,
      fullContent: `Gardens feed whoever tends them. ${`In this one there are ${FRUITS[n]}, and more ${FRUITS[n]}. `.repeat(9)}`,
      ...(n === 1 && { imageUrl: 'https://paper.example/1.jpg' }),
    });
  }
  await room.write(url('hostile'), { title: HOSTILE, section: HOSTILE, imageUrl: `https://x.example/"><script>` });
  await room.write(url('clip'), { title: 'Clip', pageType: 'video' });
  await room.happen(
    ...Array.from({ length: 12 }, (_, n) =>
      Array.from({ length: 12 - n }, () => ({ url: url(String(n)), time: NOW - HOUR })),
    ).flat(),
    ...Array.from({ length: 6 }, () => ({
      url: url('clip'),
      time: NOW - HOUR,
      action: 'videostart' as const,
      video: url('clip'),
    })),
  );
});
afterAll(() => room.close());

const fetchFragment = (path: string, init?: RequestInit) =>
  room.app.request(
    `http://stats.example/v2/fragment/${path}${path.includes('?') ? '&' : '?'}apikey=paper.example`,
    init,
  );

/** The fragment as a document; what stands in its shadow root counts as content. */
async function read(path: string): Promise<{ document: Document; html: string; titles: string[] }> {
  const html = await (await fetchFragment(path)).text();
  const window = new Window();
  window.document.write(html.replace('<template shadowrootmode="open">', '<div>').replace('</template>', '</div>'));
  const document = window.document as unknown as Document;
  return {
    document,
    html,
    titles: [...document.querySelectorAll('li a')].map((link) => link.textContent!.split(':')[0]!),
  };
}

describe('a fragment', () => {
  test('is a slot that is filled already, in a declarative shadow root with its style', async () => {
    const { html, document, titles } = await read('top');
    expect(html).toMatch(
      /^<div data-afterword="top" data-limit="5" data-layout="list"[^>]*><template shadowrootmode="open"><style>/,
    );
    expect(titles).toEqual(['Post 0', 'Post 1', 'Post 2', 'Post 3', 'Post 4']);
    expect(document.querySelector('nav')!.getAttribute('aria-label')).toBe('Most read');
    expect(document.querySelector('h2')!.textContent).toBe('Most read');
    expect(document.querySelector('a')!.getAttribute('href')).toBe(url('0'));
    expect(document.querySelector('time')!.textContent).toBe('Mar 21, 2040');
    expect(html).not.toMatch(/\son\w+=|<script/);
  });

  test('says all that changes its look, and hands it on as attributes', async () => {
    const look =
      'layout=grid&limit=3&heading=Weiter%20lesen&heading_level=3&label=Mehr&meta=author%20date&lang=de&itm=itm_a%3Db&fallback=https://x.example/f.png';
    const { document } = await read(`top?${look}`);
    expect(document.querySelector('nav')!.getAttribute('part')).toBe('nav top-grid');
    expect(document.querySelector('nav')!.getAttribute('aria-label')).toBe('Mehr');
    expect(document.querySelector('h3')!.textContent).toBe('Weiter lesen');
    expect(document.querySelector('[part=meta]')!.textContent).toBe('Author 0 · 21. März 2040');
    expect(document.querySelector('a')!.getAttribute('href')).toBe(`${url('0')}?itm_a=b`);
    expect(document.querySelectorAll('img')).toHaveLength(3);
    const { dataset, lang } = document.querySelector<HTMLElement>('[data-afterword]')!;
    expect(dataset).toMatchObject({
      layout: 'grid',
      limit: '3',
      headingLevel: '3',
      meta: 'author date',
      itm: 'itm_a=b',
    });
    expect(lang).toBe('de');
  });

  test('can go without heading, line and pictures', async () => {
    const { document } = await read('top?heading=off&meta=off&image=off&layout=grid');
    expect(document.querySelector('h2')).toBeNull();
    expect(document.querySelector('[part=frame]')).toBeNull();
    expect(document.querySelector('[part=meta]')!.textContent).toBe('');
    expect(document.querySelector<HTMLElement>('[data-afterword]')!.dataset.heading).toBe('');
  });

  test('of related posts is what /related answers, without the page itself', async () => {
    const answer = await room.ask('/related', { url: url('3'), limit: '4', section: 'Odd' });
    const { titles, document } = await read(`related?url=${url('3')}&limit=4&section=Odd`);
    expect(titles).toHaveLength(4);
    expect(titles).toEqual(answer.data.map(({ title }) => title.split(':')[0]));
    expect(document.querySelector<HTMLElement>('[data-afterword]')!.dataset).toMatchObject({
      afterword: 'related',
      url: url('3'),
      section: 'Odd',
    });
  });

  test.each([
    ['top?section=Odd&limit=2', ['Post 1', 'Post 3']],
    [`top?url=${url('0')}&limit=2`, ['Post 0', 'Post 1']],
    // Of the same author.
    [`related?url=${url('0')}&limit=1&section=Even&fill=off`, ['Post 6']],
    ['top?type=videos', ['Clip']],
    ['related?sort=pub_date&limit=2', ['Post 0', 'Post 1']],
    ['related?sort=pub_date&limit=2&exclude=section:Even', ['Post 1', 'Post 3']],
    ['related?sort=pub_date&limit=1&pub_date_end=2040-03-10', ['Post 11']],
  ])('takes the filters of its list: %s', async (path, expected) => {
    expect((await read(path)).titles).toEqual(expected);
  });

  test.each([url('1'), `${url('1')}?utm_source=x`])(
    'of a ranking is the ranking, with the page %s marked',
    async (page) => {
      const { titles, document } = await read(`top?url=${encodeURIComponent(page)}&limit=3`);
      expect(titles).toEqual(['Post 0', 'Post 1', 'Post 2']);
      const marked = [...document.querySelectorAll('a[aria-current=page]')].map((link) => link.getAttribute('href'));
      expect(marked).toEqual([url('1')]);
    },
  );

  test('keeps as much room as it has posts, so that nothing moves when the widget takes over', async () => {
    const { document } = await read('top?author=Author%201&limit=9');
    expect(document.querySelectorAll('li')).toHaveLength(4);
    expect(document.querySelector<HTMLElement>('[data-afterword]')!.dataset.limit).toBe('4');
  });

  test('without posts is an empty slot', async () => {
    const { html } = await read('top?section=None');
    expect(html).toMatch(/^<div data-afterword="top" data-limit="5"[^>]*data-section="None"><\/div>$/);
  });

  test('that attributes cannot ask for again is none of the widget’s', async () => {
    const { html, titles } = await read('related?section=Odd&section=Even&sort=pub_date&limit=2');
    expect(titles).toEqual(['Post 0', 'Post 1']);
    expect(html).not.toContain('data-afterword');
  });

  test('without a shadow root has no style of its own', async () => {
    const { html, document } = await read('top?shadow=off');
    expect(html).not.toMatch(/<template|<style/);
    expect(document.querySelectorAll('[data-afterword][data-shadow=off] > .afterword > nav li')).toHaveLength(5);
  });

  test('shows hostile titles and addresses as text', async () => {
    const { html, document } = await read('related?sort=pub_date&limit=25');
    expect(html.toLowerCase()).not.toMatch(/<script|<img src=x/);
    expect(html.match(/<\/template>/g)).toHaveLength(1);
    expect([...document.querySelectorAll('a')].map((link) => link.textContent)).toContain(HOSTILE);
  });
});

describe('a whole document', () => {
  test('stands in a frame, opens posts outside of it, and runs nothing', async () => {
    expect(await (await fetchFragment('top?document=1')).text()).toContain('<title>Most read</title>');
    const response = await fetchFragment('top?document=1&heading=Los&lang=es');
    const html = await response.text();
    expect(html).toMatch(/^<!doctype html><html lang="es" dir="ltr"><head><meta charset="utf-8">/);
    expect(html).toContain('<title>Los</title>');
    expect(html).toContain('<base target="_top"');
    const policy = response.headers.get('Content-Security-Policy')!;
    const style = /<style>(.*?)<\/style>/s.exec(html)![1]!;
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).toContain("default-src 'none'");
    expect(html).not.toContain('<template');
    for (const lang of ['ar-EG', 'ku-Arab', 'iw'])
      expect(await (await fetchFragment(`top?document=1&lang=${lang}`)).text()).toContain(`lang="${lang}" dir="rtl">`);
  });
});

describe('as an answer', () => {
  test('it is HTML that anybody may keep, frame and read', async () => {
    const { headers } = await fetchFragment('top');
    expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(headers.get('Cache-Control')).toMatch(/^public, max-age=[1-9]\d*$/);
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    expect(headers.get('X-Frame-Options')).toBeNull();
  });

  test('it is not sent to who has it', async () => {
    const first = await fetchFragment('top?limit=7');
    const etag = first.headers.get('ETag')!;
    const again = await fetchFragment('top?limit=7', { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect(again.headers.get('ETag')).toBe(etag);
  });

  let days = 2;
  test('it is made once for all who ask', async () => {
    // One that was not requested before, in another try of this test either.
    const path = `top?limit=6&days=${++days}`;
    const asked = () => room.deps.store.traffic;
    const { run } = asked();
    let runs = 0;
    asked().run = (...args) => {
      runs++;
      return run.apply(asked(), args);
    };
    try {
      await Promise.all(Array.from({ length: 5 }, () => fetchFragment(path)));
      const once = runs;
      expect(once).toBeGreaterThan(0);
      await fetchFragment(path);
      expect(runs).toBe(once);
    } finally {
      asked().run = run;
    }
  });

  test.each([
    ['top?limit=0&days=40&layout=round', 422, 'Bad parameters: days, layout, limit'],
    ['top?type=people', 422, 'Bad parameters: type'],
    ['related?url=nonsense&meta=title', 422, 'Bad parameters: meta, url'],
    ['related?exclude=colour:red&lang=%3Cb%3E', 422, 'Bad parameters: exclude, lang'],
    ['related?fallback=javascript:alert(1)', 422, 'Bad parameters: fallback'],
    ['related?image=16/9', 422, 'Bad parameters: image'],
    ['related?document=perhaps&heading_level=7', 422, 'Bad parameters: document, heading_level'],
  ])('%s is refused with a status that no page includes', async (path, status, message) => {
    const response = await fetchFragment(path);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code: status, message, success: false });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  });

  test('an unknown site is refused', async () => {
    const response = await room.app.request('http://stats.example/v2/fragment/top?apikey=nobody.example');
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ code: 403, message: 'Forbidden', success: false });
  });

  test('a hidden post is gone at once', async () => {
    expect((await read('top?limit=2')).titles).toEqual(['Post 0', 'Post 1']);
    await room.ask('/exclude/ignore', { url: url('0') });
    expect((await read('top?limit=2')).titles).toEqual(['Post 1', 'Post 2']);
    await room.ask('/exclude/include', { url: url('0') });
    expect((await read('top?limit=2')).titles).toEqual(['Post 0', 'Post 1']);
  });

  test.each(['top', 'recommendations'] as const)(
    'a site that keeps its lists to itself keeps these: %s',
    async (feature) => {
      const kind = feature === 'top' ? 'top' : 'related';
      expect((await fetchFragment(kind)).status).toBe(200);
      await replaceSite(room.deps.sites, { ...room.site, features: { ...room.site.features, [feature]: false } });
      expect((await fetchFragment(kind)).status).toBe(403);
      await replaceSite(room.deps.sites, room.site);
    },
  );
});

test.each([
  'en',
  'de',
  'pt-BR',
  'xx',
  'zz-ZZ',
  'en-12',
  'de-zz-zz',
  'en-GB-GB',
  'abc-abcdefgh',
  'de-1234-1234',
  'en-Latn-12',
])('a list is drawn in language %s, well-formed or not', async (lang) => {
  const answer = await fetchFragment(`top?lang=${lang}`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('Post 0');
});

test.each(['d', 'en_US', 'en-', '-en', 'en-a-b', 'e1', '12', '<b>', 'abcd', 'en-abcdefghi'])(
  'what is no language tag at all, %s, is refused',
  async (lang) => {
    expect((await fetchFragment(`top?lang=${encodeURIComponent(lang)}`)).status).toBe(422);
  },
);
