// Experiments: each reader is shown one variant of a list, drawn once, and reports say which; without one, no page pays.
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { assignVariant } from '../../server/contract/assignment.ts';
import type { VariantRecord } from '../../server/contract/experiments.ts';
import type { ListReport } from '../../server/contract/wire.ts';
import { describeInBrowser } from '../support/browser.ts';
import { layoutShift, watchLayoutShift } from '../support/layoutShift.ts';
import { articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

const SLOT = '<div data-afterword="related" data-slot="end" data-limit="3"><i>Own words</i></div><p>Below</p>';
/** Near the window, not in it. */
const BELOW = `<div style="height:2200px">Text</div>${SLOT}`;

/** What is changed of the control. */
type Changes = Omit<VariantRecord, 'name' | 'share'>;

describeInBrowser('an experiment', (browser) => {
  let stage: Stage;
  let page: Page;
  let pages = 0;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
  });
  beforeEach(async () => {
    await watchLayoutShift(page);
    // What slots ever showed, each time something of it changed.
    await page.addInitScript(() => {
      const attach = Element.prototype.attachShadow;
      const ever: string[] = [];
      Object.assign(window, { ever });
      addEventListener('afterword:empty', () => Object.assign(window, { rests: true }));
      Element.prototype.attachShadow = function (options) {
        const root = attach.call(this, options);
        new MutationObserver(() => {
          const [nav, heading] = ['nav', '[part=heading]'].map((name) => root.querySelector(name));
          const items = root.querySelectorAll('li').length;
          const what = nav ? `${nav.getAttribute('part')} ${heading?.textContent} ${items}` : 'nothing';
          if (!ever.includes(what)) ever.push(what);
        }).observe(root, { childList: true, subtree: true });
        return root;
      };
    });
  });

  const variantsOf = (changes: Changes): VariantRecord[] => [
    { name: 'control', share: 50 },
    { name: 'other', share: 50, ...changes },
  ];
  const answerWith = (variants: unknown, slot = 'end') => {
    const body = { success: true, experiments: [{ name: 'try', slot, variants }] };
    for (const path of ['/v2/related', '/v2/top'])
      stage.answer(path, (call, response) =>
        json({ ...body, data: records(Number(call.query.get('limit')), stage.site) })(call, response),
      );
  };
  /** A reader who gets a variant. */
  const readerOf = (variant: string, shares = variantsOf({})): string =>
    Array.from({ length: 100 }, (_, at) => `reader-${at}`).find(
      (id) => assignVariant('try', id, shares)?.name === variant,
    )!;
  const open = (body: string, reader: string) =>
    page.goto(stage.page(`/page-${pages++}`, articlePage(stage, body, `data-visitor="${reader}"`)));
  const asked = () => stage.calls.filter(({ path }) => path.startsWith('/v2/related'));
  const isFetched = () => stage.calls.some(({ path }) => path.startsWith('/experiment-'));
  const drawn = (where = '[data-slot=end]') =>
    page.waitForFunction((name) => document.querySelector(name)!.shadowRoot?.querySelector('a'), where);
  const ever = () => page.evaluate(() => (window as unknown as { ever: string[] }).ever);
  /** Of the page that is open: the one before says what it was like as it is left. */
  const reports = (): ListReport[] =>
    stage
      .events()
      .flatMap(({ action, url, lists = [] }) => (action === 'list' && url.endsWith(`/page-${pages - 1}`) ? lists : []));

  /** Looks at a slot until it is reported. */
  async function look(where = '[data-slot=end]'): Promise<ListReport[]> {
    await page.locator(where).scrollIntoViewIfNeeded();
    await reported();
    return reports();
  }

  const reported = () =>
    until('the list is reported', async () => {
      await page.evaluate(() => {
        (window as unknown as { afterword: { report(action: string): void } }).afterword.report('custom');
      });
      return reports().some(({ shown }) => shown);
    });

  /** The list is reported as shown once, and all that is said of it names the variant and says something. */
  function expectVariant(said: ListReport[], variant: string, layout = 'list'): void {
    expect(said.filter(({ shown }) => shown)).toHaveLength(1);
    expect(said.filter(({ shown, seen = [], clicked = [] }) => !shown && seen.length + clicked.length === 0)).toEqual(
      [],
    );
    for (const one of said) expect(one).toMatchObject({ slot: 'end', layout, experiment: 'try', variant });
  }

  it.each<[string, Changes, string, string[]]>([
    ['layout', { layout: 'grid' }, 'nav related-grid Related 3', ['4']],
    ['heading', { heading: 'Read <b>on</b>' }, 'nav related-list Read <b>on</b> 3', ['4']],
    ['limit', { limit: 5 }, 'nav related-list Related 5', ['4', '6']],
    ['ranking', { ranking: 'readers' }, 'nav related-list Related 3', ['4', '4']],
    ['rules', { rules: 'front' }, 'nav related-list Related 3', ['4', '4']],
  ])('changes the %s of its readers, and nothing for the others', async (_, changes, what, limits) => {
    answerWith(variantsOf(changes));
    await open(BELOW, readerOf('other'));
    await drawn();
    expect(await ever()).toEqual([what]);
    expect(asked().map(({ query }) => query.get('limit'))).toEqual(limits);
    if (changes.ranking) expect(asked().map(({ query }) => query.get('mix'))).toEqual([null, '1']);
    if (changes.rules) expect(asked().map(({ query }) => query.get('rules'))).toEqual([null, 'front']);
    expect(await layoutShift(page)).toBe(0);
    expectVariant(await look(), 'other', changes.layout);

    stage.calls.length = 0;
    await open(BELOW, readerOf('control'));
    await drawn();
    expect(await ever()).toEqual(['nav related-list Related 3']);
    expect(asked()).toHaveLength(1);
    expect(await layoutShift(page)).toBe(0);
    expectVariant(await look(), 'control');
  });

  it('shows no list to readers of a holdback, who count when they come to its place', async () => {
    answerWith(variantsOf({ list: 'none' }));
    await open(BELOW, readerOf('other'));
    await page.waitForFunction(() => 'rests' in window);
    expect(await ever()).toEqual([]);
    expect(await page.locator('[data-slot=end]').innerText()).toBe('Own words');
    expect(reports()).toEqual([]);
    const [report, ...more] = await look('p');
    expect(report).toEqual({
      ...{ list: 'related', slot: 'end', layout: 'list', shown: true, seen: [] },
      ...{ experiment: 'try', variant: 'other' },
    });
    expect(more).toEqual([]);
    expect(asked()).toHaveLength(1);
    expect(await layoutShift(page)).toBe(0);
  });

  it.each(['other', 'control'])('counts readers who scroll past its place alike: %s', async (variant) => {
    answerWith(variantsOf({ list: 'none' }));
    await open(`${BELOW}<div style="height:3000px">More text</div>`, readerOf(variant));
    await (variant === 'other' ? page.waitForFunction(() => 'rests' in window) : drawn());
    await page.evaluate(() =>
      scrollBy(0, document.querySelector('[data-slot=end]')!.getBoundingClientRect().top + 100),
    );
    expect(await page.evaluate(() => document.querySelector('[data-slot=end]')!.getBoundingClientRect().top)).toBe(
      -100,
    );
    await reported();
    expectVariant(
      reports().filter(({ shown }) => shown),
      variant,
    );
  });

  it('counts readers of a holdback alike on the next page of an application, which keeps the place', async () => {
    answerWith(variantsOf({ list: 'none' }));
    await open(`${BELOW}<div style="height:3000px">More text</div>`, readerOf('other'));
    await page.waitForFunction(() => 'rests' in window);
    await page.evaluate((next) => {
      Reflect.deleteProperty(window, 'rests');
      history.pushState(null, '', next);
    }, `/page-${pages++}`);
    await page.waitForFunction(() => 'rests' in window);
    // Into the window, and by its upper edge.
    await page.evaluate(async () => {
      for (const top of [300, -100]) {
        scrollBy(0, document.querySelector('[data-slot=end]')!.getBoundingClientRect().top - top);
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      }
    });
    await reported();
    expectVariant(
      reports().filter(({ shown }) => shown),
      'other',
    );
  });

  it.each([[[0, 3, 0, 3]], [[3, 0, 3]]])(
    'shows its variant on each page of an application, after one without posts, too: %j',
    async (counts) => {
      const body = BELOW.replace('data-limit', 'data-fill="off" data-limit');
      const experiments = [{ name: 'try', slot: 'end', variants: variantsOf({ layout: 'grid' }) }];
      const items = (list: string) => page.locator(`[data-slot=end] ${list} li a`).count();
      for (const count of counts) {
        stage.calls.length = 0;
        stage.answer('/v2/related', json({ success: true, experiments, data: records(count, stage.site) }));
        if (page.url() === 'about:blank') await open(body, readerOf('other'));
        else await page.evaluate((next) => history.pushState(null, '', next), `/page-${pages++}`);
        await until('its list is there', async () => asked().length > 0 && (await items('')) === count);
        expect(await items('[part="nav related-grid"]')).toBe(count);
      }
    },
  );

  it('gives the room of a holdback back when it has left the window', async () => {
    answerWith(variantsOf({ list: 'none' }));
    await open(`${SLOT}<div style="height:3000px">Text</div>`, readerOf('other'));
    await page.waitForFunction(() => 'rests' in window);
    const height = () => page.locator('[data-slot=end]').evaluate((slot) => slot.style.minHeight);
    expect(await height()).not.toBe('');
    await page.evaluate(() => scrollBy(0, 2500));
    await until('the room is given back', async () => (await height()) === '');
    expect(await layoutShift(page)).toBe(0);
  });

  it('moves a list to another place of the page', async () => {
    const body = `${BELOW}<div style="height:100px"></div><aside data-slot="aside"></aside>`;
    answerWith(variantsOf({ slot: 'aside' }));
    await open(body, readerOf('other'));
    await drawn('[data-slot=aside]');
    expect(await page.locator('[data-slot=end] a').count()).toBe(0);
    expectVariant(await look('[data-slot=aside]'), 'other');
    expect(await layoutShift(page)).toBe(0);

    stage.calls.length = 0;
    await open(body, readerOf('control'));
    await drawn();
    expect(await page.locator('[data-slot=aside] a').count()).toBe(0);
    expectVariant(await look(), 'control');
  });

  it('takes no part of a page where its list is in the window and a variant needs more room than is kept', async () => {
    answerWith(variantsOf({ limit: 8 }));
    for (const variant of ['other', 'control']) {
      stage.calls.length = 0;
      await open(SLOT, readerOf(variant));
      await drawn();
      expect(await ever()).toEqual(['nav related-list Related 3']);
      expect(await layoutShift(page)).toBe(0);
      const [report] = await look();
      expect(report).not.toHaveProperty('experiment');
    }
  });

  it('costs no request where no answer names one, nor in slots of other names', async () => {
    await open(BELOW, 'reader');
    await drawn();
    expect([asked().length, isFetched()]).toEqual([1, false]);
    answerWith(variantsOf({ layout: 'grid' }), 'elsewhere');
    await open(BELOW, readerOf('other'));
    await drawn();
    expect(await ever()).toEqual(['nav related-list Related 3']);
    const [report] = await look();
    expect(report).not.toHaveProperty('experiment');
  });

  it('that was stopped leaves the control on pages that are cached, whatever readers were shown before', async () => {
    answerWith(variantsOf({ layout: 'grid' }));
    const reader = readerOf('other');
    await open(BELOW, reader);
    await drawn();
    expect(await ever()).toEqual(['nav related-grid Related 3']);
    stage.answer('/v2/related', json({ success: true, data: records(4, stage.site) }));
    await open(BELOW, reader);
    await drawn();
    expect(await ever()).toEqual(['nav related-list Related 3']);
    const said = (await look()).at(-1);
    expect(said).not.toHaveProperty('experiment');
  });

  it.each<[string, unknown]>([
    ['that is no list', 'x'],
    ['without variants', []],
    ['whose shares are none', [{ name: 'control', share: 'x' }]],
  ])('%s leaves the control', async (_, variants) => {
    answerWith(variants);
    await open(BELOW, 'reader');
    await drawn();
    expect(await ever()).toEqual(['nav related-list Related 3']);
  });
});
