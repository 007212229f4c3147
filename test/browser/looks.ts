// What a publisher sees of the lists, number by number, for every browser that the tests have: one page, opened again for each.
import type { Browser } from 'playwright-core';
import { expect, it } from 'vitest';
import { LAYOUTS } from '../../server/contract/attributes.ts';
import { axeFindings } from '../support/axe.ts';
import { moves } from '../support/moves.ts';
import { pagesOf } from '../support/pdf.ts';
import { json, records } from '../support/stage.ts';
import { until } from '../support/until.ts';
import { looksPage, TALL } from './looksPage.ts';

/** Its readers are eight hours behind the clock of the server. */
export const ZONE = 'America/Los_Angeles';

/** Room in em is not always a whole number of device pixels. */
const PIXEL = 1;
const TEXT = '<p>The article has a text of some words.</p>';
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

/** Layouts of an article with a sidebar, around LIST. */
const COLUMNS = {
  'a grid of 1fr and 300 px':
    '<div style="display:grid;grid-template-columns:1fr 300px"><article>LIST</article><aside>Aside</aside></div>',
  'a flexible article': '<div style="display:flex"><article style="flex:1">LIST</article><aside>Aside</aside></div>',
  'a table': '<table><tr><td>LIST</td><td>Aside</td></tr></table>',
  'grid items in grid items':
    '<div style="display:grid"><div style="display:grid"><article style="min-width:auto">LIST</article></div></div>',
};

const slotOf = (kind: string, attributes = ''): string => `<div data-afterword="${kind}" ${attributes}></div>`;
const ofEachLayout = (kind: string, limit = 8): string =>
  LAYOUTS.map((layout) => slotOf(kind, `data-layout="${layout}" data-limit="${limit}"`)).join(TEXT);

/** @param zone Time zone of the reader, where the browser can set it for a page; else it is in {@link ZONE} as a whole. */
export function looks(browser: () => Browser, zone?: { timezoneId: string }): void {
  const at = looksPage(browser, zone);

  it('draws each layout with its pictures, and axe finds nothing', async () => {
    const posts = 4 * LAYOUTS.length;
    at.answer(posts + 4, () => ({ image_url: `${at.stage.host}/picture.svg` }));
    await at.open(ofEachLayout('related', 4));
    expect(await at.page.locator('[data-afterword] a').count()).toBe(posts);
    const pictures = at.page.locator('[part=image]');
    await until('the pictures are there', () =>
      pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth === 160)),
    );
    const [frame, picture] = await at.page
      .locator('[part=frame], [part=image]')
      .evaluateAll((all) => all.slice(0, 2).map((one) => one.getBoundingClientRect().width));
    expect(frame).toBeGreaterThan(80);
    expect(picture).toBeCloseTo(frame!, 0);
    expect(await axeFindings(at.page)).toEqual([]);
    expect(at.errors).toEqual([]);
  });

  it('leaves a ranking as it is, the page’s own post in it, which is marked', async () => {
    const here = at.next();
    at.answer(9, (index) => (index === 1 ? { url: at.stage.site + here } : {}));
    await at.open(slotOf('related', 'data-limit="3"') + slotOf('top', 'data-limit="4"'));
    const shown = await at.page
      .locator('[data-afterword=top] a')
      .evaluateAll((all) => all.map((a) => [a.getAttribute('aria-current'), getComputedStyle(a).fontWeight]));
    expect(shown).toEqual([
      [null, '600'],
      ['page', '400'],
      [null, '600'],
      [null, '600'],
    ]);
    expect(await at.numbers('related')).toEqual([5, 6, 7]);
  });

  it.each([1280, 390])(
    'keeps each list in its column, and the page as wide as without it, at %i pixels',
    async (width) => {
      at.answer(20, () => ({ image_url: `${at.stage.host}/none.png`, title: LONG, section: LONG }));
      await at.page.setViewportSize({ width, height: 900 });
      const around = (list: string): string =>
        Object.values(COLUMNS)
          .map((html) => `<section>${html.replace('LIST', list)}</section>`)
          .join('');
      const widths = (): Promise<number[]> =>
        at.page.evaluate(() =>
          [document.documentElement, ...document.querySelectorAll('section')].map(({ scrollWidth }) => scrollWidth),
        );
      await at.open(around(TEXT));
      const bare = await widths();
      await at.open(around(TEXT + ofEachLayout('related')));
      const named = (all: number[]) => all.map((one, index) => [['the page', ...Object.keys(COLUMNS)][index], one]);
      expect(named(await widths())).toEqual(named(bare));
    },
  );

  it.each([
    ['filled', 40],
    ['with fewer posts than room', 2],
    ['empty', 0],
  ])('moves nothing when lists in view are %s', async (_, count) => {
    at.answer(count);
    await at.open(`<p>Above</p>${ofEachLayout('top')}<p>Below</p>${slotOf('related')}<p>Below</p>`, 'lang="en"', '');
    const { seen, by } = await moves(at.page);
    expect(seen).toBe(LAYOUTS.length + 2);
    expect(by).toBeLessThan(PIXEL);
  });

  it.each([
    ['shorter than its room', 1],
    ['empty', 0],
  ])('leaves no hole where a list below the window is %s', async (_, count) => {
    at.answer(count);
    await at.page.setViewportSize({ width: 800, height: 800 });
    const away = '<div style="height:3000px">Text</div>';
    await at.open(away + slotOf('related', 'data-fill="off"') + ofEachLayout('top', 6));
    await at.noHoles('below the window');
  });

  it('leaves no hole when a phone is turned', async () => {
    at.answer(20);
    await at.page.setViewportSize({ width: 390, height: TALL });
    await at.open(ofEachLayout('top', 6));
    await at.page.setViewportSize({ width: 844, height: 390 });
    await at.noHoles('after the turn');
  });

  it('prints no room of a list that is shorter than it', async () => {
    at.answer(1);
    await at.open(slotOf('top', 'data-limit="25"'));
    expect((await at.holes())[0], 'its room in the window').toBeGreaterThan(1000);
    expect(pagesOf(await at.page.pdf())).toBe(1);
  });

  it('has fewer columns where the text is large, and cuts no title there is room for', async () => {
    at.answer(9, () => ({ title: 'A harbour town votes to keep its last ferry' }));
    await at.open(`<style>html{font-size:200%}</style>${ofEachLayout('top', 6)}<p>Below</p>`);
    const cut = await at.page
      .locator('[part=link]')
      .evaluateAll((links) => links.filter((link) => link.scrollHeight > link.clientHeight + 1).length);
    expect(cut).toBe(0);
    const lefts = await at.page
      .locator('[data-layout=list] li')
      .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().left));
    expect(new Set(lefts).size).toBe(1);
    expect((await moves(at.page)).by).toBeLessThan(PIXEL);
  });

  it('numbers a ranking of 25, and no number breaks or meets a title', async () => {
    at.answer(25);
    const theme = '<style>body{font-size:20px;word-break:break-word}</style>';
    await at.open(`${theme}<div style="width:220px">${slotOf('top', 'data-layout="compact" data-limit="25"')}</div>`);
    const items = await at.page.locator('ol > li').evaluateAll((all) =>
      all.map((item) => {
        const number = getComputedStyle(item, '::after');
        const canvas = document.createElement('canvas').getContext('2d')!;
        canvas.font = `${number.fontWeight} ${number.fontSize} ${number.fontFamily}`;
        const text = item.querySelector('[part=text]')!.getBoundingClientRect();
        const room = text.left - item.getBoundingClientRect().left - canvas.measureText('25').width;
        return {
          room,
          lines: Number.parseFloat(number.height) / Number.parseFloat(number.fontSize),
          wrap: number.whiteSpace,
        };
      }),
    );
    expect(items).toHaveLength(25);
    for (const { room, lines, wrap } of items) {
      expect(room).toBeGreaterThan(4);
      expect(lines).toBeLessThan(2);
      expect(wrap).toBe('nowrap');
    }
  });

  it.each([
    ['lang="de"', 'Bundesverfassungsgericht und Arbeitsunfähigkeitsbescheinigung', 'Mehr zum Thema', 'Meistgelesen'],
    ['lang="ar" dir="rtl"', 'المدينة الساحلية تصوّت على إبقاء آخر عبّارة فيها', 'ذات صلة', 'الأكثر قراءة'],
    ['lang="ja"', '港町は最後の渡し船を残すことを投票で決めた', '関連記事', '人気記事'],
  ])('uses the page’s language, and shows its letters whole: %s', async (language, title, related, top) => {
    at.answer(20, () => ({ title }));
    await at.page.setViewportSize({ width: 390, height: TALL });
    await at.open(`${slotOf('related', 'data-layout="grid" data-limit="4"')}${slotOf('top')}<p>Below</p>`, language);
    expect(await at.page.locator('h2').allTextContents()).toEqual([related, top]);
    const texts = await at.page.locator('[part=text]').evaluateAll((all) =>
      all.map((text) => {
        const range = document.createRange();
        range.selectNodeContents(text.querySelector('[part=link]')!);
        const [inner, outer] = [range.getBoundingClientRect(), text.parentElement!.getBoundingClientRect()];
        return [outer.left - inner.left, inner.right - outer.right].map(Math.round);
      }),
    );
    for (const beyond of texts) expect(Math.max(...beyond), 'words within their cards').toBeLessThan(2);
    const isRightToLeft = language.includes('rtl');
    const [first, second] = await at.page
      .locator('[data-layout=grid] li')
      .evaluateAll((all) => all.map((item) => item.getBoundingClientRect().left));
    expect(first! > second!).toBe(isRightToLeft);
    expect((await moves(at.page)).by).toBeLessThan(PIXEL);
  });

  it('shows a date without a time as that day, and a moment in the reader’s zone', async () => {
    at.answer(2, (index) => ({ pub_date: index ? '2020-01-10T00:30:00' : '2020-01-10T00:00:00' }));
    await at.open(slotOf('related', 'data-limit="2"'));
    expect(await at.page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)).toBe(ZONE);
    const dates = at.page.locator('time');
    await until('the dates are in words', async () => /^Jan/.test((await dates.first().textContent())!));
    expect(await dates.allTextContents()).toEqual(['Jan 10, 2020', 'Jan 9, 2020']);
  });

  it('goes from post to post by the tab key, each with a ring, and opens one by the enter key', async () => {
    at.answer(9);
    await at.open(slotOf('related', 'data-layout="row" data-limit="3"'));
    const visited: unknown[] = [];
    for (let presses = 0; presses < 3; presses++) {
      await at.page.keyboard.press('Tab');
      visited.push(
        await at.page.evaluate(() => {
          const focused = document.activeElement?.shadowRoot?.activeElement as HTMLAnchorElement | null;
          return focused && [focused.pathname, getComputedStyle(focused, '::after').outlineStyle];
        }),
      );
    }
    expect(visited).toEqual(['/post-1', '/post-2', '/post-3'].map((path) => [path, 'solid']));
    await at.page.keyboard.press('Enter');
    await until('the post opens', () => at.page.url() === `${at.stage.site}/post-3`);
  });

  it('shows by arrows that a row continues, and scrolls it by them', async () => {
    at.answer(9);
    await at.open(slotOf('related', 'data-layout="row" data-limit="8"'));
    const arrows = at.page.locator('[part=arrow]');
    const visible = () => arrows.evaluateAll((all) => all.map((one) => one.checkVisibility()).join());
    await until('one is shown', async () => (await visible()) === 'false,true');
    await arrows.nth(1).click();
    await until('both are shown', async () => (await visible()) === 'true,true');
  });

  it('fills up a related list that has too few posts for the reader', async () => {
    const all = records(9, at.stage.site);
    const posts = (...which: number[]) => json({ data: which.map((n) => all[n - 1]), success: true });
    at.stage.answer('/v2/top', posts(2, 4));
    at.stage.answer('/v2/related', (call, response) =>
      (call.query.has('uuid') ? posts(1) : call.query.has('url') ? posts(1, 2, 3) : posts(4, 5))(call, response),
    );
    await at.open(slotOf('related', 'data-limit="4"'));
    expect(await at.numbers('related')).toEqual([1, 4, 5, 2]);
  });

  it('says in the console why a list is empty', async () => {
    at.answer(0);
    await at.open('<div id="after-article" data-afterword="related"></div>');
    await until('it is said', () => at.said.length > 0);
    expect(at.said).toEqual([
      'afterword: the related list (#after-article) is empty: no other post of example.com is known yet. ' +
        `Pages become known about 10 s after they are first viewed; ${at.stage.host}/preview checks a page.`,
    ]);
  });

  it.each<[string, (host: string) => string]>([
    ['as a module', (host) => `<script type="module" src="${host}/afterword.one.js" data-site="example.com"></script>`],
    [
      'with the site in its address',
      (host) => `<script async src="${host}/afterword.one.js?site=example.com"></script>`,
    ],
    [
      'made by a script',
      (host) =>
        `<script>{const s = document.createElement('script'); s.src = '${host}/afterword.js'; document.head.append(s); ` +
        `s.setAttribute('data-site', 'example.com')}</script>`,
    ],
  ])('shows its list whichever way the tag comes: %s', async (_, tag) => {
    const html = `<!doctype html><html lang="en"><title>A</title><body>${slotOf('top', 'data-limit="3"')}${tag(at.stage.host)}`;
    await at.page.goto(at.stage.page('/tag', html));
    await until('the list shows', async () => (await at.numbers('top')).length === 3);
    expect(at.errors).toEqual([]);
  });
}
