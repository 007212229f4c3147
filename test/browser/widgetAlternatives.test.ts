// Posts of which several titles or pictures are compared: each reader is shown one, drawn once, and keeps it.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { assignVariant } from '../../server/contract/assignment.ts';
import { describeInBrowser, shortenPauses } from '../support/browser.ts';
import { titlesIn } from '../support/fragmentTitles.ts';
import { layoutShift, watchLayoutShift } from '../support/layoutShift.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { articlePage, json, openStage, records, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
const SLOT = '<div data-afterword="top" data-limit="3"></div>';

describeInBrowser('a post with several titles', (browser) => {
  let stage: Stage;
  let context: BrowserContext;
  let page: Page;
  let pages = 0;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    stage.reset();
    context = await browser().newContext({ viewport: { width: 900, height: 2500 } });
    page = await context.newPage();
    await page.addInitScript(shortenPauses);
    await page.addInitScript(seeTitles);
    await watchLayoutShift(page);
  });
  afterEach(() => context.close());

  /** Remembers each text that the first link of a list ever had in a frame. */
  function seeTitles(): void {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    const look = (): void => {
      const slot = document.querySelector('[data-afterword]');
      const link = slot?.shadowRoot?.querySelector('a') ?? slot?.querySelector('a');
      if (link) seen.add(link.textContent);
      requestAnimationFrame(look);
    };
    look();
    addEventListener('afterword:render', (event) => Object.assign(window, { render: (event as CustomEvent).detail }));
  }

  const one = (title: string, share: number, more: object = {}) => ({
    ...{ title, share, image_url: '', thumb_url_medium: '' },
    ...more,
  });
  const THREE = [one('Own', 0.2), one('Second', 0.3), one('Third', 0.5)];

  function answerWith(alternatives: unknown): void {
    const data = records(5, stage.site, (index) => (index === 0 ? { title: 'Own', alternatives } : {}));
    stage.answer('/v2/top', json({ data, success: true }));
  }

  const publish = (body: string, attributes = ''): string =>
    stage.page(`/page-${pages++}`, articlePage(stage, `<main>${body}</main>`, attributes));

  async function open(body = SLOT, attributes = ''): Promise<string[]> {
    await page.goto(publish(body, attributes));
    await page.waitForFunction('window.render', undefined, { timeout: 15_000 });
    return await page.locator('[data-afterword] a').allTextContents();
  }

  async function titlesSeen(): Promise<unknown> {
    await page.waitForFunction('seen.size');
    return await page.evaluate('[...seen]');
  }

  /** A reader who gets one of the three; the port of the site has a part in who that is. */
  const readerWith = (alternative: number): string => {
    const readers = Array.from({ length: 100 }, (_, at) => `reader-${at}`);
    const title = THREE[alternative - 1]!.title;
    return readers.find((reader) => assignVariant(`${stage.site}/post-1`, reader, THREE)?.title === title)!;
  };

  const parts = () => stage.calls.filter(({ path }) => path.startsWith('/alternatives-')).length;

  it('is shown with the title of the reader, the same on each page, drawn once and without a move', async () => {
    answerWith(THREE);
    for (const alternative of [1, 2, 3]) {
      const reader = readerWith(alternative);
      const [first] = await open(SLOT, `data-visitor="${reader}"`);
      expect(first).toBe(THREE[alternative - 1]!.title);
      expect(await titlesSeen()).toEqual([first]);
      expect(await page.evaluate('render[0].alternative')).toBe(alternative);
      expect(await layoutShift(page)).toBe(0);
    }
    expect(await page.evaluate('render[1].alternative')).toBeUndefined();
  });

  it('is the same in all lists of a page, for a reader without an id as well', async () => {
    answerWith(THREE.map(({ title }) => one(title, 1 / 3)));
    const titles = await open(
      `${SLOT}<div data-afterword="top" data-layout="grid" data-limit="3"></div>`,
      'data-consent="required"',
    );
    await page.waitForFunction(`document.querySelectorAll('[data-afterword]')[1].shadowRoot?.querySelector('a')`);
    const all = await page.locator('[data-afterword] li:first-child a').allTextContents();
    expect(all).toEqual([titles[0], titles[0]]);
    expect(THREE.map(({ title }) => title)).toContain(titles[0]);
  });

  it('is shown with the picture of the reader', async () => {
    const [own, other] = ['own', 'other'].map((name) => `${stage.site}/${name}.jpg`);
    await page.route('**/*.jpg*', (route) => route.fulfill({ contentType: 'image/svg+xml', body: SVG }));
    answerWith([
      one('Own', 0, { image_url: own }),
      one('Own', 1, { image_url: other, thumb_url_medium: `${other}?small` }),
    ]);
    await open();
    expect(await page.locator('img').first().getAttribute('src')).toBe(`${other}?small`);
    expect(await page.evaluate('render[0].original')).toBe(other);
  });

  it.each([SLOT, SLOT.replace('data-limit', 'data-shadow="off" data-limit')])(
    'keeps its title while the list is there, though the shares change: %s',
    async (slot) => {
      answerWith([one('Own', 0), one('Second', 1)]);
      expect((await open(slot))[0]).toBe('Second');
      answerWith([one('Own', 1), one('Second', 0)]);
      await page.evaluate('window.render = undefined; afterword.refresh()');
      await page.waitForFunction('window.render', undefined, { timeout: 15_000 });
      expect(await page.locator('[data-afterword] a').first().textContent()).toBe('Second');
      expect(await titlesSeen()).toEqual(['Second']);
    },
  );

  it('is drawn once in the variant of its list, and reports name both', async () => {
    const variants = [
      { name: 'control', share: 0 },
      { name: 'other', share: 100, heading: 'Read on' },
    ];
    const data = records(3, stage.site, (index) => (index === 0 ? { title: 'Own', alternatives: THREE } : {}));
    stage.answer('/v2/top', json({ data, success: true, experiments: [{ name: 'try', slot: 'end', variants }] }));
    const slot = '<div data-afterword="top" data-slot="end" data-limit="3"></div>';
    const alternative = 2;
    const reader = readerWith(alternative);
    const [first] = await open(`<div style="height:2600px">Text</div>${slot}`, `data-visitor="${reader}"`);
    expect(first).toBe(THREE[alternative - 1]!.title);
    await page.locator('[data-slot=end]').scrollIntoViewIfNeeded();
    const lists = () => stage.events().flatMap((event) => (event.action === 'list' ? (event.lists ?? []) : []));
    await until('all items are reported as seen', async () => {
      await page.evaluate(`afterword.report('custom')`);
      return new Set(lists().flatMap(({ seen = [] }) => seen.map(([, post]) => post))).size === 3;
    });
    for (const list of lists()) {
      expect(list).toMatchObject({ list: 'top', slot: 'end', experiment: 'try', variant: 'other' });
      for (const [position, , , number] of list.seen!) expect(number).toBe(position === 1 ? alternative : 0);
    }
    expect(await titlesSeen()).toEqual([first]);
    expect(await page.locator('[part=heading]').textContent()).toBe('Read on');
    expect(await layoutShift(page)).toBe(0);
  });

  it('costs a page nothing where nothing is compared', async () => {
    answerWith(undefined);
    await open();
    expect(parts()).toBe(0);
  });

  it.each<[string, unknown]>([
    ['a text', 'Second'],
    ['an object', { title: 'Second' }],
    ['nothing in them', [null, 7]],
    ['no shares', [one('Own', Number.NaN), { title: 'Second', share: 'x' }]],
    ['an empty list', []],
    ['markup that is shown as text', [one('Own', 0), one('<img src=x onerror=alert(1)>', 1)]],
    ['an address that is none', [one('Own', 0), one('Own', 1, { image_url: 'javascript:alert(1)' })]],
  ])('is shown all the same with %s', async (_, alternatives) => {
    answerWith(alternatives);
    const alerts: string[] = [];
    page.on('dialog', (dialog) => void alerts.push(dialog.message()));
    const titles = await open();
    expect(titles).toHaveLength(3);
    expect(['Own', '<img src=x onerror=alert(1)>']).toContain(titles[0]);
    expect(await page.locator('[src^="javascript"]').count()).toBe(0);
    expect(alerts).toEqual([]);
  });

  it('is shown with its own title where the parts cannot be fetched', async () => {
    answerWith([one('Own', 0), one('Second', 1)]);
    stage.answer('/alternatives-', (_call, response) => void response.writeHead(500).end());
    expect((await open())[0]).toBe('Own');
    expect(await page.evaluate('render[0].alternative')).toBeUndefined();
  });

  it.each([
    ['', ''],
    ['&fallback=', '/fallback.svg'],
    ['&image_src=', '/{width}/{url}'],
  ])('stays as a fragment has it, which is one of them, and says which: %s', async (name, address) => {
    const room: Newsroom = await openNewsroom({ now: NOW, id: 'example.com' });
    try {
      const url = `${stage.site}/post-1`;
      const imageUrl = name === '&fallback=' ? '' : `${stage.site}/own.jpg`;
      const alternatives = [{ title: 'Second' }, { title: 'Third' }];
      await room.write(url, { title: 'Own', pubDate: NOW, imageUrl, alternatives });
      await room.happen({ url, time: NOW - 60_000 });
      const drawn = new Set<string>();
      const fragmentAt = async (minute: number): Promise<string> => {
        room.setNow(NOW + minute * 60_000);
        const target = 'http://stats.example/v2/fragment/top?apikey=example.com&limit=3';
        const more = name && name + encodeURIComponent(stage.site + address);
        const html = await (await room.app.request(target + more)).text();
        drawn.add(titlesIn(html)[0] ?? '');
        return html;
      };
      stage.answer('/v2/', async ({ path, query }, response) => {
        const answer = await room.app.request(`http://stats.example${path}?${query}`);
        response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
      });
      for (let minute = 0; minute < 12; minute += 1) {
        const html = await fragmentAt(minute);
        if (minute > 2) continue;
        const [title] = await open(html);
        expect(html).toContain(`>${title}<`);
        expect(await titlesSeen()).toEqual([title]);
        expect(await page.evaluate('render[0].alternative')).toBe(['Own', 'Second', 'Third'].indexOf(title ?? '') + 1);
      }
      expect(drawn.size).toBeGreaterThan(1);
      expect(['Own', 'Second', 'Third']).toEqual(expect.arrayContaining([...drawn]));
    } finally {
      await room.close();
    }
  });
});
