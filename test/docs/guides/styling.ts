// docs/styling.md: each example takes effect on a list that a browser has drawn.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { readGuide } from './guide.ts';
import { type GuidePages, type Opened, titlesOf } from './guideStage.ts';

const guide = readGuide('styling.md');
const ACCENT = 'rgb(179, 38, 30)';

/** @returns the guide, with what of it was tried. */
export function testStyling(pages: GuidePages): typeof guide {
  const section = (number: number): string => [...guide.text.matchAll(/^## (.*)$/gm)][number - 1]![1]!;
  const part = (page: Page, name: string): Locator => page.locator(`[part~="${name}"]`).first();
  const style = (found: Locator, property: string): Promise<string> =>
    found.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  const RELATED = '<div data-afterword="related"></div>';

  /** A page with the tag, the style sheet of an example, and a slot. */
  async function open(number: number, body = RELATED, styled = true): Promise<Opened> {
    const css = styled ? `<style>${guide.block(section(number), 'css')}</style>` : '';
    const tag = '<script src="https://stats.example.com/afterword.js" data-site="example.com"></script>';
    const opened = await pages.open({ head: tag + css, body });
    await titlesOf(opened.page);
    return opened;
  }
  const html = (number: number): string => guide.block(section(number), 'html');

  describe('styling.md', () => {
    test('1: the accent is the colour of the section, the radius that of the pictures', async () => {
      const { page } = await open(1, '<div data-afterword="related" data-layout="grid"></div>');
      expect(await style(part(page, 'section'), 'color')).toBe(ACCENT);
      expect(await style(part(page, 'frame'), 'border-top-left-radius')).toBe('0px');
    });

    test('2: the heading', async () => {
      const { page } = await open(2);
      expect(await style(part(page, 'heading'), 'text-transform')).toBe('uppercase');
      expect(await style(part(page, 'heading'), 'border-bottom-width')).toBe('2px');
    });

    test('3: titles, and titles under the pointer', async () => {
      const { page } = await open(3);
      expect(await style(part(page, 'link'), 'font-weight')).toBe('400');
      expect(await style(part(page, 'link'), 'font-family')).toContain('Georgia');
      await part(page, 'link').hover();
      expect(await style(part(page, 'link'), 'color')).toBe(ACCENT);
    });

    test('4: cards', async () => {
      const { page } = await open(4, html(4));
      expect(await titlesOf(page)).toHaveLength(6);
      expect(await style(part(page, 'item'), 'background-color')).toMatch(/^rgba\(136, 136, 136, 0\.0/);
      expect(await style(part(page, 'text'), 'padding-left')).toBe('12px');
    });

    test('5: round pictures, the author below the title', async () => {
      const { page } = await open(5, html(5));
      expect(await style(part(page, 'frame'), 'border-top-left-radius')).toBe('50%');
      const { width, height } = (await part(page, 'frame').boundingBox())!;
      expect(Math.abs(width - height)).toBeLessThan(1);
      expect(await part(page, 'meta').textContent()).toBe('Ada Quay');
    });

    test('6: a box, light and dark', async () => {
      const { page } = await open(6, `<aside>${RELATED}</aside>`);
      expect(await style(part(page, 'nav'), 'background-color')).toBe('rgb(246, 241, 231)');
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await style(part(page, 'nav'), 'background-color')).toBe('rgb(42, 38, 32)');
      expect(await style(part(page, 'link'), 'color')).toBe('rgb(238, 238, 238)');
    });

    test('7: items of HTML, filled, and styled by parts of their own', async () => {
      const { page } = await open(7, html(7));
      expect(await page.locator('[part="teaser"] strong').allTextContents()).toHaveLength(3);
      expect(await part(page, 'teaser').getAttribute('href')).toContain('/post-');
      expect(await part(page, 'heading').textContent()).toBe('Read next');
      expect(await part(page, 'kicker').textContent()).toBe('Kitchen');
      expect(await style(part(page, 'kicker'), 'color')).toBe(ACCENT);
      const cut = await part(page, 'teaser').evaluate((teaser) => {
        teaser.querySelector('strong')!.textContent = 'A title of many lines '.repeat(20);
        return teaser.scrollHeight - teaser.clientHeight;
      });
      expect(cut).toBe(0);
      // These posts have no picture.
      expect(await part(page, 'picture').isHidden()).toBe(true);
    });

    test('8: items drawn by a function', async () => {
      const body = `<script>${guide.block(section(8), 'js')}</script>${RELATED}`;
      const { page } = await open(8, body, false);
      expect(await part(page, 'link').textContent()).toMatch(/^The bread of part \d+ by Ada Quay$/);
    });

    test('9: a list without style is styled by the page', async () => {
      const { page } = await open(9, html(9));
      expect(await titlesOf(page, '[data-afterword] > .afterword')).toHaveLength(10);
      expect(await style(part(page, 'list'), 'list-style-type')).toBe('none');
      expect(await style(part(page, 'item'), 'border-top-width')).toBe('1px');
      expect(await style(part(page, 'link'), 'font-weight')).toBe('700');
    });

    test('11: lists are on the screen, and not on paper', async () => {
      const { page } = await open(11, `${RELATED}<afterword-top></afterword-top>`);
      const seen = () =>
        page.locator('[data-afterword]').evaluateAll((slots) => slots.map((slot) => slot.checkVisibility()));
      expect(await seen()).toEqual([true, true]);
      await page.emulateMedia({ media: 'print' });
      expect(await seen()).toEqual([false, false]);
    });

    test('properties and parts: the lines in short', async () => {
      const slots = `<main>${RELATED}<div data-afterword="top"></div></main>
        <aside><div data-afterword="related" data-layout="row" data-limit="7" data-repeat="on"></div></aside>`;
      const css = `<style>${guide.block('Properties and parts', 'css')}</style>`;
      const { page } = await open(1, css + slots, false);
      const [list, top, row] = ['main [data-afterword="related"]', '[data-afterword="top"]', 'aside [data-afterword]'];
      for (const slot of [top!, row!]) await titlesOf(page, slot);
      const of = (slot: string | undefined, name: string, property: string) =>
        style(page.locator(`${slot} [part~="${name}"]`).first(), property);
      expect(await of(list, 'heading', 'font-family')).toBe('Georgia, serif');
      expect(await of(list, 'heading', 'border-bottom-width')).toBe('2px');
      expect(await of(list, 'section', 'color')).toBe('rgb(187, 0, 0)');
      expect(await of(list, 'link', 'font-weight')).toBe('400');
      expect(await of(list, 'meta', 'opacity')).toBe('1');
      expect(await of(top, 'list', 'grid-template-columns')).toMatch(/^[\d.]+px$/);
      expect(await of(top, 'list', 'row-gap')).toBe('8px');
      expect(await of(row, 'link', 'font-size')).toBe('14.4px');
      expect(await of(row, 'nav', 'padding-top')).toBe('0px');
      expect(await of(row, 'frame', 'border-top-left-radius')).toBe('0px');
      expect(await of(row, 'frame', 'box-shadow')).toContain('4px');
      expect(await of(row, 'arrow', 'background-color')).toBe('rgb(187, 0, 0)');
    });

    test('10: a block without a list is hidden, and clicks are passed on', async () => {
      const clicks = `<script>${guide.block(section(10), 'js')}
        addEventListener('click', (event) => event.preventDefault());</script>`;
      const { page } = await open(10, html(10) + clicks, false);
      expect(await page.locator('.more').isVisible()).toBe(true);
      await part(page, 'link').click();
      const said = await page.evaluate('window.dataLayer');
      expect(said).toEqual([{ event: 'afterword', list: 'related', url: expect.stringContaining('/post-') }]);
      const none = html(10).replace('data-heading', 'data-section="None" data-heading');
      const empty = await open(10, none + RELATED, false);
      await until('the block is hidden', () => empty.page.locator('.more').isHidden());
    });
  });
  return guide;
}
