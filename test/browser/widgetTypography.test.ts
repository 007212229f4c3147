// The words of a list: dates, headings and names, in the page's language, and whole.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { layoutShift, watchLayoutShift } from '../support/layoutShift.ts';
import { articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

describeInBrowser('the words of a list', (browser) => {
  let stage: Stage;
  let page: Page;
  let pages = 0;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
  });

  async function open(body: string, language = 'lang="en"', on = page): Promise<void> {
    const html = articlePage(stage, `<main><h1>Article</h1>${body}</main>`, 'data-lazy="off"');
    await on.goto(stage.page(`/page-${pages++}`, html.replace('lang="en"', language)));
    await until('every list shows', () =>
      on.evaluate(() =>
        [...document.querySelectorAll('[data-afterword]')].every((slot) =>
          (slot.shadowRoot?.querySelector('a') ? slot.shadowRoot : slot).querySelector('a'),
        ),
      ),
    );
  }
  const answer = (change: (index: number) => object): void => {
    for (const path of ['/v2/related', '/v2/top'])
      stage.answer(path, json({ data: records(30, stage.site, change), success: true }));
  };

  it('are an ordered list where the order means something only', async () => {
    await open('<div data-afterword="related"></div>');
    expect([await page.locator('ul[role=list]').count(), await page.locator('ol').count()]).toEqual([1, 0]);
  });

  it('shorten the section, never the date, and leave out the year where it is this one', async () => {
    const year = new Date().getFullYear();
    answer((index) => ({
      section: 'Government, society and everything else that is written about',
      pub_date: `${year - index}-03-04T05:06:07`,
    }));
    await open('<div style="width:300px"><div data-afterword="related" data-limit="2"></div></div>');
    const dates = page.locator('time');
    await until('the dates are in words', async () => /^Mar 4$/.test((await dates.first().textContent())!));
    expect(await dates.nth(1).textContent()).toBe(`Mar 4, ${year - 1}`);
    const rights = await page
      .locator('time, [part=meta]')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(rights[1]).toBeLessThanOrEqual(rights[0]! + 0.5);
    const [shown, whole] = await page
      .locator('[part=section]')
      .first()
      .evaluate((section) => [section.clientWidth, section.scrollWidth] as const);
    expect(shown).toBeLessThan(whole);
  });

  it('keep the beginning of Latin names on a page that is written from right to left', async () => {
    answer(() => ({ section: 'علوم', author: 'Christopher Wellington-Montgomery of Edinburgh' }));
    const slot = '<div data-afterword="related" data-limit="1" data-meta="section author date"></div>';
    await open(`<div style="width:300px">${slot}</div>`, 'lang="ar" dir="rtl"');
    const [from, first, last, to] = await page.locator('[part=author]').evaluate((author) => {
      const rangeOf = (at: number): DOMRect => {
        const range = document.createRange();
        range.setStart(author.firstChild!, at);
        range.setEnd(author.firstChild!, at + 1);
        return range.getBoundingClientRect();
      };
      const { left, right } = author.getBoundingClientRect();
      return [left, rangeOf(0).left, rangeOf(45).left, right] as const;
    });
    expect(first).toBeGreaterThanOrEqual(from - 0.5);
    expect(last).toBeGreaterThan(to);
  });

  it.each([
    [
      'a Latin title on a page that is written from right to left',
      'lang="ar" dir="rtl"',
      'Night trains (again)!',
      'ltr',
    ],
    ['a Hebrew title on a page that is written from left to right', 'lang="en"', 'רכבות לילה (שוב)!', 'rtl'],
  ])('order the words and signs of %s by the title, at the edge of the list', async (_, language, title, direction) => {
    answer(() => ({ title }));
    await open('<div style="width:400px"><div data-afterword="related" data-limit="1"></div></div>', language);
    const [first, last, edges] = await page.locator('[part=link]').evaluate((link) => {
      const range = document.createRange();
      const text = document.createTreeWalker(link, NodeFilter.SHOW_TEXT).nextNode()!;
      const leftOf = (at: number): number => {
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      };
      const ends = [leftOf(0), leftOf(text.textContent!.length - 1)] as const;
      range.selectNodeContents(link);
      const [words, box] = [range.getBoundingClientRect(), link.closest('[part=text]')!.getBoundingClientRect()];
      return [...ends, { left: words.left - box.left, right: box.right - words.right }] as const;
    });
    if (direction === 'ltr') expect(last).toBeGreaterThan(first);
    else expect(last).toBeLessThan(first);
    expect(Math.abs(direction === 'ltr' ? edges.right : edges.left)).toBeLessThan(1);
  });

  it('begin at one edge on a page whose text is indented', async () => {
    await open('<div style="width:300px;text-indent:2em"><div data-afterword="related" data-limit="2"></div></div>');
    const indents = await page.locator('[part=text]').evaluateAll((all) =>
      all.flatMap((text) =>
        [...text.querySelectorAll('bdi')].map((part) => {
          const range = document.createRange();
          range.setStart(part.firstChild!, 0);
          range.setEnd(part.firstChild!, 1);
          return Math.round(range.getBoundingClientRect().left - text.getBoundingClientRect().left);
        }),
      ),
    );
    expect(indents).toEqual([0, 0, 0, 0]);
  });

  it('leave four letters of the section where text is twice as large: there the date takes a line of its own', async () => {
    answer((index) => ({
      section: index ? 'Art' : 'Governments',
      pub_date: '2020-10-24T05:06:07',
      image_url: `${stage.host}/none.png`,
    }));
    await page.setViewportSize({ width: 390, height: 2000 });
    await open('<style>html{font-size:200%}</style><div data-afterword="related" data-limit="2"></div>');
    const metas = await page.locator('[part=meta]').evaluateAll((all) =>
      all.map((meta) => {
        const [section, date] = [...meta.children].map((child) => child.getBoundingClientRect());
        return {
          letters: section!.width / Number.parseFloat(getComputedStyle(meta).fontSize),
          isBelow: date!.top > section!.top,
          isInside: date!.right <= meta.getBoundingClientRect().right + 0.5,
        };
      }),
    );
    // Four letters and the mark that it is cut; "Art".
    expect(metas[0]!.letters).toBeGreaterThan(2.5);
    expect(metas[1]!.letters).toBeGreaterThan(1);
    expect(metas).toMatchObject([
      { isBelow: true, isInside: true },
      { isBelow: true, isInside: true },
    ]);
  });

  it.each(['Asia/Tokyo', 'UTC'])(
    'show a date without a time as that day everywhere, and a moment in the reader’s zone: %s',
    async (timezoneId) => {
      answer((index) => ({ pub_date: index ? '2020-01-10T00:30:00' : '2020-01-10T00:00:00' }));
      const abroad = await browser().newPage({ timezoneId, viewport: { width: 800, height: 2000 } });
      try {
        await open('<div data-afterword="related" data-limit="2"></div>', 'lang="en"', abroad);
        const dates = abroad.locator('time');
        await until('the dates are in words', async () => /^Jan/.test((await dates.first().textContent())!));
        expect(await dates.allTextContents()).toEqual(['Jan 10, 2020', 'Jan 10, 2020']);
      } finally {
        await abroad.context().close();
      }
    },
  );

  it.each([
    ['de-AT', 'Mehr zum Thema', 'Meistgelesen'],
    ['ar', 'ذات صلة', 'الأكثر قراءة'],
    ['ja', '関連記事', '人気記事'],
    ['zh-TW', '相關文章', '熱門文章'],
    ['pt-BR', 'Relacionados', 'Mais lidas'],
    ['pt_BR', 'Relacionados', 'Mais lidas'],
    ['zh_Hant_TW', '相關文章', '熱門文章'],
    ['nn-NO', 'Les òg', 'Mest lese'],
    ['eo', 'Related', 'Most read'],
  ])(
    'begin with headings in the page’s language, with none before them, and nothing moves: %s',
    async (language, related, top) => {
      await watchLayoutShift(page);
      await page.addInitScript(() => {
        const seen = new Set<string>();
        Object.assign(window, { seen });
        const look = (): void => {
          for (const slot of document.querySelectorAll('[data-afterword]')) {
            const heading = slot.shadowRoot?.querySelector('h2')?.textContent;
            if (heading) seen.add(heading);
          }
          requestAnimationFrame(look);
        };
        look();
      });
      await open(
        '<div data-afterword="related"></div><div data-afterword="top"></div><p>Below</p>',
        `lang="${language}"`,
      );
      expect((await page.locator('h2').allTextContents()).sort()).toEqual([related, top].sort());
      expect(await page.evaluate('[...seen].sort()')).toEqual([related, top].sort());
      expect(await layoutShift(page)).toBe(0);
    },
  );

  it('are the publisher’s own where an attribute says them, in every language', async () => {
    await open('<div data-afterword="top" data-heading="Was gelesen wird"></div>', 'lang="de"');
    expect(await page.locator('h2').textContent()).toBe('Was gelesen wird');
  });

  it('load nothing for languages on an English page', async () => {
    await open('<div data-afterword="related"></div>');
    expect(stage.calls.some(({ path }) => /languages|scripts/.test(path))).toBe(false);
  });

  it('name each list by itself, as a landmark', async () => {
    answer(() => ({}));
    await open(
      '<div data-afterword="related"></div><div data-afterword="top"></div><div data-afterword="related" data-layout="compact"></div>',
    );
    const names = await page.locator('nav').evaluateAll((all) => all.map((nav) => nav.getAttribute('aria-label')));
    expect(names).toEqual(['Related', 'Most read', 'Related 2']);
    expect(await axeFindings(page)).toEqual([]);
  });

  it('bring no class of their own into the page, where they stand in it', async () => {
    const theme = '<style>.row{display:flex}.grid{display:grid}.m{margin:9px}</style>';
    await open(`${theme}<div data-afterword="top" data-layout="row" data-shadow="off"></div>`);
    const classes = await page
      .locator('[data-afterword] *')
      .evaluateAll((all) => all.flatMap((one) => [...one.classList]));
    expect(classes.filter((name) => !name.startsWith('afterword'))).toEqual([]);
  });

  it('have the sizes that the page gives by custom properties', async () => {
    const style =
      '[data-afterword]{--afterword-heading-font:serif;--afterword-heading-size:30px;--afterword-title-size:20px;' +
      '--afterword-gap:5px;--afterword-columns:1;--afterword-margin:0}';
    await open(`<style>${style}</style><div data-afterword="related" data-limit="4"></div>`);
    const look = (part: string, property: string): Promise<string> =>
      page
        .locator(`[part~=${part}]`)
        .first()
        .evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);
    expect(await look('heading', 'font-family')).toBe('serif');
    expect(await look('heading', 'font-size')).toBe('30px');
    expect(await look('link', 'font-size')).toBe('20px');
    expect(await look('list', 'row-gap')).toBe('5px');
    expect(await look('nav', 'padding-top')).toBe('0px');
    const lefts = await page.locator('li').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect(new Set(lefts).size).toBe(1);
  });
});
