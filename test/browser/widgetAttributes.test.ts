// What a publisher says by attributes and by the page's own style reaches the list.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

describeInBrowser('a list is as its attributes and its page say', (browser) => {
  let stage: Stage;
  let page: Page;
  let pages = 0;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
  });

  async function open(body: string, attributes = '', file = 'afterword.js'): Promise<void> {
    const html = articlePage(stage, body, attributes).replace('afterword.js', file);
    await page.goto(stage.page(`/page-${pages++}`, html));
    await page.locator('[part=list][aria-busy=false]').first().waitFor();
  }

  /** What the host was asked, but for who asks and how much. */
  const asked = (path: string): [string, string][] =>
    [...stage.calls.find((call) => call.path === path)!.query].filter(
      ([name]) => !['apikey', 'limit', 'uuid'].includes(name),
    );

  it('with every filter of /related', async () => {
    await open(
      '<div data-afterword="related" data-url="https://example.com/here" data-section="Arts &amp; Life" data-author="Ada" data-tag="x"' +
        ' data-sort="pub_date" data-exclude="section:Opinion|tag:sponsored" data-pub_date_start="2026-01-01"' +
        ' data-pub_date_end="2026-02-01" data-respect_empty_results="1"></div>',
    );
    expect(asked('/v2/related').sort()).toEqual([
      ['author', 'Ada'],
      ['exclude', 'section:Opinion'],
      ['exclude', 'tag:sponsored'],
      ['pub_date_end', '2026-02-01'],
      ['pub_date_start', '2026-01-01'],
      ['respect_empty_results', '1'],
      ['section', 'Arts & Life'],
      ['sort', 'pub_date'],
      ['tag', 'x'],
      ['url', 'https://example.com/here'],
    ]);
  });

  it('of posts, where the tag has the `data-type` that a consent manager left on it', async () => {
    stage.answer('/v2/top/application', (_, response) => void response.writeHead(404).end('<p>No such page'));
    await open('<div data-afterword="top"></div>', 'data-type="application/javascript"');
    expect(await page.locator('li').count()).toBe(5);
    const lists = stage.calls.map(({ path }) => path).filter((path) => path.startsWith('/v2/top'));
    expect(lists).toEqual(['/v2/top/posts']);
  });

  it('with pictures from an image service', async () => {
    const original = 'https://example.com/large one.jpg';
    stage.answer('/v2/related', json({ data: records(1, stage.site, () => ({ image_url: original })), success: true }));
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    stage.answer('/scaled', (_, response) => void response.setHeader('Content-Type', 'image/svg+xml').end(picture));
    await open(
      `<div data-afterword="related" data-limit="1" data-image-src="${stage.host}/scaled/{width}?of={url}"></div>`,
    );
    expect(await page.locator('[part=image]').getAttribute('src')).toBe(
      `${stage.host}/scaled/480?of=${encodeURIComponent(original)}`,
    );
  });

  it.each([
    ['afterword.js', 'list', '{width}/{url}', 160],
    ['afterword.js', 'grid', 'w={width},h=9/{url}', 320],
    ['afterword.js', 'grid', 'one/{url}', undefined],
    ['p.js', 'grid', '{width}/{url}', 320],
  ])('with pictures as wide as they are shown, where the service knows widths: %s, %s, %s', async (...row) => {
    const [file, layout, path, width] = row;
    const original = 'https://example.com/large one,1.jpg';
    stage.answer('/v2/related', json({ data: records(3, stage.site, () => ({ image_url: original })), success: true }));
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    stage.answer('/scaled', (_, response) => void response.setHeader('Content-Type', 'image/svg+xml').end(picture));
    const service = `${stage.host}/scaled/${path}`;
    await open(
      `<div data-afterword="related" data-limit="3" data-layout="${layout}" data-image-src="${service}"></div>`,
      '',
      file,
    );
    const shown = page.locator('[part=image]').first();
    const chosen = () => shown.evaluate((image) => (image as HTMLImageElement).currentSrc);
    await until('a picture is chosen', async () => (await chosen()) !== '');
    const address = service.replace('{width}', `${width}`).replace('{url}', encodeURIComponent(original));
    expect(await chosen()).toBe(address);
    const asked = stage.calls.filter(({ path: one }) => one.startsWith('/scaled'));
    expect(new Set(asked.map(({ path: one }) => one)).size, 'one width of it').toBe(1);
  });

  it('with every filter of /top, of posts or of videos', async () => {
    await open(
      '<div data-afterword="top" data-type="videos" data-days="7" data-section="News" data-author="Ada" data-tag="x" data-channel="amp"></div>',
    );
    expect(asked('/v2/top/videos').sort()).toEqual([
      ['author', 'Ada'],
      ['channel', 'amp'],
      ['days', '7'],
      ['section', 'News'],
      ['tag', 'x'],
    ]);
  });

  it('of videos with marks on their pictures, where the tag says the type for all lists', async () => {
    const pictured = () => ({ image_url: `${stage.host}/picture.png` });
    for (const path of ['/v2/related', '/v2/top'])
      stage.answer(path, json({ data: records(9, stage.site, pictured), success: true }));
    await open('<div data-afterword="top"></div><div data-afterword="related"></div>', 'data-type="videos"');
    await until('both show', async () => (await page.locator('[part=list][aria-busy=false]').count()) === 2);
    const marks = await page
      .locator('[data-afterword]')
      .evaluateAll((slots) =>
        slots.map((slot) => getComputedStyle(slot.shadowRoot!.querySelector('[part=frame]')!, '::after').content),
      );
    expect(marks).toEqual(['""', 'none']);
    await page.emulateMedia({ forcedColors: 'active' });
    const triangle = page
      .locator('[data-afterword=top] [part=frame]')
      .first()
      .evaluate((frame) => getComputedStyle(frame, '::after').backgroundImage);
    expect(await triangle).toContain('conic-gradient');
  });

  it.each([
    ['url', true, false, ''],
    ['visitor', false, true, ''],
    ['visitor', false, true, 'data-url="https://example.com/named-by-the-tag"'],
  ])('by the %s alone where it says so', async (by, url, uuid, tag) => {
    await open(`<div data-afterword="related" data-by="${by}"></div>`, tag);
    const { query } = stage.calls.find(({ path }) => path === '/v2/related')!;
    expect([query.has('url'), query.has('uuid')]).toEqual([url, uuid]);
  });

  it.each([160, 220])('with room for titles beside pictures in a column of %i pixels', async (width) => {
    const pictured = () => ({ image_url: `${stage.host}/picture.png` });
    stage.answer('/v2/related', json({ data: records(5, stage.site, pictured), success: true }));
    await open(`<div style="width:${width}px"><div data-afterword="related"></div></div>`);
    const text = (await page.locator('[part=text]').first().boundingBox())!;
    const frame = (await page.locator('[part=frame]').first().boundingBox())!;
    expect(text.width).toBeGreaterThan(width / 3);
    expect(frame.width).toBeGreaterThan(width / 3);
  });

  it('where the tag sets attributes of all slots, and a slot its own', async () => {
    const slots =
      '<div data-afterword="related"></div><afterword-top data-limit="3" data-heading="Read"></afterword-top>';
    await open(slots, 'data-limit="2" data-heading="More" data-heading-level="4" data-layout="compact"');
    await until('both show', async () => (await page.locator('[part=list][aria-busy=false]').count()) === 2);
    expect(await page.locator('nav[part$=-compact]').count()).toBe(2);
    const shown = await page
      .locator('nav')
      .evaluateAll((all) => all.map((nav) => [nav.querySelector('h4')!.textContent, nav.querySelectorAll('a').length]));
    expect(shown).toEqual([
      ['More', 2],
      ['Read', 3],
    ]);
  });

  it('where the page hides one, which stays hidden', async () => {
    await open(
      '<style>afterword-top { display: none }</style><afterword-top></afterword-top><div data-afterword="related"></div>',
    );
    expect(await page.locator('afterword-top').isVisible()).toBe(false);
  });

  it('with a name and without a heading, and with dates in the language around it', async () => {
    await open(
      '<section lang="de"><div data-afterword="related" data-heading="" data-label="Mehr dazu" data-meta="author date"></div></section>',
    );
    expect(await page.getByRole('navigation', { name: 'Mehr dazu' }).getByRole('heading').count()).toBe(0);
    await until('the dates are German', async () =>
      /^Ada Writer · 4\. März$/.test((await page.locator('[part=meta]').first().textContent())!),
    );
  });

  it('in the page’s own font, colours and corners, and each part in the style the page gives it', async () => {
    const style =
      '<style>body { font: 18px serif; color: rgb(1, 2, 3); --afterword-accent: rgb(4, 5, 6); --afterword-radius: 7px }' +
      ' [data-afterword]::part(link) { font-weight: 300 } [data-afterword]::part(date) { color: rgb(8, 9, 10) }</style>';
    await open(`${style}<div data-afterword="related" data-layout="grid"></div>`);
    const look = (part: string, property: string) =>
      page
        .locator(`[part=${part}]`)
        .first()
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
    expect(await look('link', 'font-family')).toBe('serif');
    expect(await look('link', 'font-size')).toBe('18px');
    expect(await look('link', 'color')).toBe('rgb(1, 2, 3)');
    expect(await look('section', 'color')).toBe('rgb(4, 5, 6)');
    expect(await look('frame', 'border-radius')).toBe('7px');
    expect(await look('link', 'font-weight')).toBe('300');
    expect(await look('date', 'color')).toBe('rgb(8, 9, 10)');
    const parts = await page.locator('[part]').evaluateAll((all) => all.map((one) => one.getAttribute('part')));
    expect([...new Set(parts)].sort()).toEqual(
      ['date', 'frame', 'heading', 'item', 'link', 'list', 'meta', 'nav related-grid', 'section', 'text'].sort(),
    );
  });
});
