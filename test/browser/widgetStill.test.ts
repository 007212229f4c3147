// Nothing on the page moves because of a list: filled, empty, failed, slow, or ten of them, at four widths.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { layoutShift, watchLayoutShift } from '../support/layoutShift.ts';
import { type Answer, articlePage, json, openStage, records, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

/** One slot of each layout, in view, with text below each that would move. */
const SLOTS =
  '<div data-afterword="related"></div><p>Below</p><div data-afterword="top" data-layout="compact"></div><p>Below</p>' +
  '<div data-afterword="related" data-layout="grid" data-limit="4"></div><p>Below</p>' +
  '<afterword-top data-layout="row"></afterword-top><p>Below</p><afterword-top data-limit="6"></afterword-top><p>Below</p>';

/** Every slot is in view: there a move counts. */
const TALL = 8000;

describeInBrowser('a page with lists does not move', (browser) => {
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    await page?.context().close();
    page = await browser().newPage({ viewport: { width: 1280, height: TALL } });
    await watchLayoutShift(page);
  });

  function answerLists(answer: Answer): void {
    for (const path of ['/v2/related', '/v2/top']) stage.answer(path, answer);
  }

  /** Counts the slots that came to rest, by the events they send. */
  async function open(body: string, attributes = ''): Promise<void> {
    await page.addInitScript(() => {
      for (const type of ['render', 'empty', 'error']) {
        addEventListener(`afterword:${type}`, ({ target }) => {
          (target as HTMLElement).dataset.rests = type;
        });
      }
    });
    await page.goto(stage.page('/article', articlePage(stage, body, attributes)));
    await page.waitForFunction(
      () => !document.querySelector('[data-afterword]:not([data-rests]),afterword-top:not([data-rests])'),
    );
  }

  const picture = (): object => ({ image_url: `${stage.host}/picture.svg` });
  const filled: Answer = (call, response) => json({ data: records(40, stage.site), success: true })(call, response);
  const answers: Record<string, Answer> = {
    filled,
    'with fewer posts than room': (call, response) =>
      json({ data: records(2, stage.site), success: true })(call, response),
    empty: json({ data: [], success: true }),
    refused: json({ code: 403, message: 'Forbidden', success: false }),
    failed: (_, response) => void response.writeHead(503).end('<h1>Busy</h1>'),
    'cut off': (_, response) => void response.destroy(),
    // The server's slowness is what is tested; nothing waits for it by the clock.
    slow: async (call, response) => {
      await sleep(700);
      filled(call, response);
    },
  };
  it.each(Object.keys(answers))('when its lists are %s', async (name) => {
    answerLists(answers[name]!);
    await open(`<h1>Article</h1>${SLOTS}`);
    expect(await layoutShift(page)).toBe(0);
  });

  it.each(Object.keys(answers))('when its slots have content of their own, and its lists are %s', async (name) => {
    answerLists(answers[name]!);
    const own = '<p>Own words, with margins</p><ul><li><a href="/archive">Archive</a></li></ul>';
    const slots = `${SLOTS.replace('></div>', ' data-shadow="off"></div>')}${SLOTS}`;
    await open(`<h1>Article</h1>${slots.replaceAll(/><\/(?=div|afterword)/g, `>${own}</`)}`);
    expect(await layoutShift(page)).toBe(0);
  });

  it.each([320, 390, 768, 1280])('at %i pixels', async (width) => {
    answerLists(filled);
    await page.setViewportSize({ width, height: TALL });
    await open(`<h1>Article</h1>${SLOTS}`);
    expect(await layoutShift(page)).toBe(0);
  });

  it.each(['1', '2.4', '0.7', 'off'])('when the pictures’ shape is %s', async (image) => {
    answerLists((call, response) => json({ data: records(40, stage.site, picture), success: true })(call, response));
    await open(SLOTS, `data-image="${image}"`);
    expect(await layoutShift(page)).toBe(0);
  });

  it('when the page takes every element’s style away, or a slot stands in a line of text', async () => {
    answerLists(filled);
    const span = '<p>Text <span data-afterword="related"></span> and more</p>';
    await open(`<style>* { all: unset }</style><h1>Article</h1>${SLOTS}${span}<p>Below</p>`);
    expect(await layoutShift(page)).toBe(0);
    const heights = await page
      .locator('[data-afterword]')
      .evaluateAll((slots) =>
        slots.map((slot) => slot.clientHeight - slot.shadowRoot!.querySelector('nav')!.offsetHeight),
      );
    for (const rest of heights) expect(Math.abs(rest)).toBeLessThan(2);
  });

  it('with a box around each slot, whose padding is part of its size', async () => {
    answerLists(filled);
    const boxed = SLOTS.replaceAll(/<(div|afterword-top)[^>]*><\/\1>/g, '<section>$&</section>');
    await open(`<style>* { box-sizing: border-box } section { padding: 20px; border: 5px solid }</style>${boxed}`);
    expect(await layoutShift(page)).toBe(0);
  });

  it('with fifteen lists, and text of another size', async () => {
    answerLists(filled);
    await open(`<div style="font-size:21px">${SLOTS.repeat(3)}</div>`, 'data-limit="1"');
    expect(await layoutShift(page)).toBe(0);
  });

  it('gives pictures the shape that is asked for, in every layout but the one without', async () => {
    answerLists((call, response) => json({ data: records(40, stage.site, picture), success: true })(call, response));
    await page.setViewportSize({ width: 900, height: TALL });
    await open(SLOTS, 'data-image="1.5"');
    const shapes = await page
      .locator('[part=frame]')
      .evaluateAll((frames) => frames.map((frame) => frame.clientWidth / frame.clientHeight));
    expect(shapes).toHaveLength(20);
    for (const shape of shapes) expect(shape).toBeCloseTo(1.5, 1);
  });

  it('when pictures fail', async () => {
    const image_url = `${stage.host}/none.jpg`;
    answerLists((call, response) =>
      json({ data: records(40, stage.site, () => ({ image_url })), success: true })(call, response),
    );
    await open(SLOTS);
    await page.waitForFunction(() => !document.querySelector('[data-afterword]')!.shadowRoot!.querySelector('img'));
    expect(await layoutShift(page)).toBe(0);
  });

  it.each([
    ['', [280, 320, 345, 375, 390, 445, 470, 500, 640, 675, 700, 900, 1280]],
    ['data-image="1"', [320, 390, 768]],
    ['data-image="2.4"', [320, 390, 768]],
  ])('keeps the room that was reserved to the pixel: %s', async (attributes, widths) => {
    answerLists((call, response) => json({ data: records(40, stage.site, picture), success: true })(call, response));
    for (const width of widths) {
      await page.setViewportSize({ width, height: TALL });
      await open(SLOTS, attributes);
      const heights = await page
        .locator('[data-afterword],afterword-top')
        .evaluateAll((slots) =>
          slots.map((slot) => [slot.clientHeight, slot.shadowRoot!.querySelector('nav')!.offsetHeight]),
        );
      for (const [slot, list] of heights) expect(Math.abs(slot! - list!), `${width} px`).toBeLessThan(2);
    }
  });

  it('gives the room of a list back with the paint that shows it, which costs no other layout', async () => {
    answerLists(filled);
    await page.addInitScript(() => {
      addEventListener('afterword:render', ({ target }) =>
        // Before the next paint.
        requestAnimationFrame(() => {
          (target as HTMLElement).dataset.kept = (target as HTMLElement).style.minHeight;
        }),
      );
    });
    await open(`<h1>Article</h1>${SLOTS}`);
    const slots = page.locator('[data-afterword]');
    await until(
      'each was looked at',
      async () => (await page.locator('[data-kept]').count()) === (await slots.count()),
    );
    expect(await slots.evaluateAll((all) => all.map((slot) => slot.dataset.kept))).toEqual(['', '', '', '', '']);
    expect(await layoutShift(page)).toBe(0);
  });

  const heights = () =>
    page
      .locator('[data-afterword]')
      .evaluateAll((slots) =>
        slots.map((slot) => [slot.clientHeight, slot.shadowRoot!.querySelector('nav')?.offsetHeight ?? 0]),
      );
  /** No slot is higher than its list. */
  const without = (what: string) =>
    until(`there is no hole ${what}`, async () =>
      (await heights()).every(([slot, list]) => Math.abs(slot! - list!) < 2),
    );
  const LONG = '<div style="height:3000px">Text</div>';
  const few: Answer = (call, response) => json({ data: records(1, stage.site), success: true })(call, response);
  const none = json({ data: [], success: true });

  it('leaves no hole where a list is shorter than its room, or empty, below the window', async () => {
    await page.setViewportSize({ width: 900, height: 800 });
    const lazy = SLOTS.replaceAll('></div>', ' data-fill="off"></div>');
    for (const answer of [few, none]) {
      answerLists(answer);
      await open(`<h1>Article</h1>${LONG}${lazy}`, 'data-lazy="off"');
      await without('below the window');
      expect(await layoutShift(page)).toBe(0);
    }
  });

  it.each([
    ['few', few],
    ['none', none],
  ])('leaves no hole once a list with posts (%s) has left the window, in either direction', async (_, answer) => {
    answerLists(answer);
    await page.setViewportSize({ width: 900, height: 800 });
    const slot = '<div data-afterword="top" data-limit="9"></div>';
    for (const to of [0, 6000]) {
      await page.goto(stage.page('/long', articlePage(stage, `${LONG}${slot}<p>Below</p>${LONG}${LONG}`)));
      const shown = page.locator('[data-afterword]');
      await shown.evaluate((element) => element.scrollIntoView());
      await page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('/room-')),
      );
      await page.evaluate((top) => scrollTo(0, top), to);
      await without('out of the window');
      expect(await layoutShift(page), `scrolled to ${to}`).toBe(0);
    }
  });

  it('keeps the room of a shorter list in the window, until the window or the columns change', async () => {
    answerLists(few);
    for (const change of [
      () => page.setViewportSize({ width: 700, height: TALL }),
      () => page.addStyleTag({ content: 'body { font-size: 2em }' }),
    ]) {
      await page.setViewportSize({ width: 1280, height: TALL });
      await open('<div data-afterword="top" data-limit="9"></div><p>Below</p>');
      await page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('/room-')),
      );
      const [[slot, list]] = (await heights()) as [[number, number]];
      expect(slot).toBeGreaterThan(list + 100);
      expect(await layoutShift(page)).toBe(0);
      await change();
      await without('after the change');
    }
  });

  it('leaves no hole when a phone is turned', async () => {
    answerLists(filled);
    for (const layout of ['list', 'grid', 'compact']) {
      await page.setViewportSize({ width: 390, height: TALL });
      await open(`<div data-afterword="top" data-limit="6" data-layout="${layout}"></div><p>Below</p>`);
      expect(await layoutShift(page)).toBe(0);
      await page.setViewportSize({ width: 844, height: 390 });
      await without(`in layout ${layout}`);
    }
  });

  it('leaves no hole when a phone is turned before the part that releases room has come', async () => {
    answerLists(few);
    await page.setViewportSize({ width: 390, height: TALL });
    let turned = () => {};
    const isTurned = new Promise<void>((done) => {
      turned = done;
    });
    await page.route('**/room-*', async (route) => {
      await isTurned;
      await route.continue();
    });
    await open('<div data-afterword="top" data-limit="6"></div><p>Below</p>');
    expect((await heights())[0]![0], 'its room').toBeGreaterThan((await heights())[0]![1]! + 100);
    await page.setViewportSize({ width: 844, height: 390 });
    turned();
    await without('after the turn');
    await page.unroute('**/room-*');
  });

  it('leaves no hole where the page has columns of its own, once these are seen', async () => {
    answerLists(filled);
    await page.setViewportSize({ width: 1280, height: 800 });
    const style = '<style>[data-afterword]::part(list) { grid-template-columns: repeat(4, 1fr) }</style>';
    await open(`${style}${LONG}<div data-afterword="top" data-limit="8"></div>`, 'data-lazy="off"');
    await without('with four columns');
    expect(await layoutShift(page)).toBe(0);
  });

  it('prints no room: neither of a list that is far from the window, nor of one that is short', async () => {
    answerLists(few);
    await page.setViewportSize({ width: 900, height: 800 });
    const pages = async (): Promise<number> => (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g)!.length;
    // Some room is left on the last page.
    const text = '<div style="height:2300px">Text</div>';
    await page.goto(stage.page('/print', articlePage(stage, `${text}<p>End</p>`)));
    const bare = await pages();
    const slots = '<div data-afterword="top" data-limit="25"></div>';
    await page.goto(
      stage.page('/print', articlePage(stage, `<div data-afterword="top"></div>${text}${slots}<p>End</p>`)),
    );
    await page.locator('[data-afterword] a').first().waitFor();
    expect(await pages()).toBe(bare);
  });
});
