// What lists of an experiment do to their page: layout shift and errors, measured where an experiment runs and nowhere
// else, and said once, when the tab is hidden.
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { assignVariant } from '../../server/contract/assignment.ts';
import type { ListReport } from '../../server/contract/wire.ts';
import { describeInBrowser } from '../support/browser.ts';
import { articlePage, json, records, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

const BODY =
  '<p>Text</p><div style="height:2200px"></div><div data-afterword="related" data-slot="end" data-limit="3"></div>';
const VARIANTS = [
  { name: 'control', share: 50 },
  { name: 'long', share: 50, limit: 5 },
];
const LONG = Array.from({ length: 100 }, (_, at) => `reader-${at}`).find(
  (id) => assignVariant('try', id, VARIANTS)?.name === 'long',
)!;

describeInBrowser('the page of a list of an experiment', (browser) => {
  let stage: Stage;
  let page: Page;
  let pages = 0;
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
  });
  beforeEach(async () => {
    await page.addInitScript(() => {
      let isHidden = false;
      Object.defineProperty(Document.prototype, 'hidden', { get: () => isHidden });
      const hide = (now: boolean) => {
        isHidden = now;
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      };
      Object.assign(window, { hide });
      addEventListener('afterword:error', () => Object.assign(window, { failed: true }));
    });
  });

  /** @param fails The list of the variant is not answered. */
  const answer = ({ experiments, fails = false }: { experiments?: unknown; fails?: boolean }) =>
    stage.answer('/v2/related', (call, response) => {
      const limit = Number(call.query.get('limit'));
      const body = {
        success: true,
        data: records(limit, stage.site),
        ...(experiments !== undefined && { experiments }),
      };
      if (fails && limit > 4) response.writeHead(500).end();
      else json(body)(call, response);
    });
  const RUNNING = [{ name: 'try', slot: 'end', variants: VARIANTS }];
  const open = () => page.goto(stage.page(`/guarded-${pages++}`, articlePage(stage, BODY, `data-visitor="${LONG}"`)));
  const drawn = () =>
    page.waitForFunction(() => document.querySelector('[data-slot=end]')!.shadowRoot?.querySelector('a'));
  const reports = (): ListReport[] => stage.events().flatMap(({ lists = [] }) => lists);
  const measures = () => reports().filter((list) => 'shift' in list || 'errors' in list);
  const hide = () =>
    page.evaluate(() => {
      const { hide: to } = window as unknown as { hide(now: boolean): void };
      for (const now of [true, false, true]) to(now);
    });
  /** Of a script, as the browser says it. */
  const throwIn = (file: string) =>
    page.evaluate((filename) => void dispatchEvent(new ErrorEvent('error', { filename })), file);
  /** Text that pushes the page down, painted. */
  const push = (px: number) =>
    page.evaluate(async (height) => {
      const pushing = document.createElement('div');
      pushing.style.height = `${height}px`;
      document.body.prepend(pushing);
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    }, px);

  it('is said to stay where it is and to work, once', async () => {
    answer({ experiments: RUNNING });
    await open();
    await drawn();
    await throwIn(`${stage.site}/own.js`);
    await hide();
    await until('the measure is reported', () => measures().length > 0);
    expect(measures()).toEqual([
      {
        ...{ list: 'related', slot: 'end', layout: 'list', experiment: 'try', variant: 'long' },
        ...{ shift: 0, errors: 0 },
      },
    ]);
  });

  it('is said to move, and our errors are counted', async () => {
    answer({ experiments: RUNNING });
    await open();
    await drawn();
    await push(200);
    const file = stage.calls.find(({ path }) => path.startsWith('/experiment-'))!.path;
    const server = await page.evaluate(() => document.querySelector('script[data-site]')!.getAttribute('src')!);
    await throwIn(new URL(file, new URL(server, page.url())).href);
    await hide();
    await until('the measure is reported', () => measures().length > 0);
    const [{ shift, errors }, ...more] = measures() as [ListReport, ...ListReport[]];
    expect(more).toEqual([]);
    expect(shift).toBeGreaterThan(0.01);
    expect(shift).toBeLessThanOrEqual(1);
    expect(shift! * 1000).toBeCloseTo(Math.round(shift! * 1000), 9);
    expect(errors).toBe(1);
  });

  it('is said to fail where the list of its variant does not come', async () => {
    answer({ experiments: RUNNING, fails: true });
    await open();
    await page.waitForFunction(() => 'failed' in window);
    await hide();
    await until('the failure is reported', () => measures().length > 0);
    expect(measures()[0]).toMatchObject({ variant: 'long', errors: 1 });
  });

  it('has no figure of shift where the browser has none', async () => {
    await page.addInitScript(() =>
      Object.defineProperty(PerformanceObserver, 'supportedEntryTypes', { value: ['mark'] }),
    );
    answer({ experiments: RUNNING });
    await open();
    await drawn();
    await hide();
    await until('the measure is reported', () => measures().length > 0);
    expect(measures()[0]).not.toHaveProperty('shift');
    expect(measures()[0]).toHaveProperty('errors', 0);
  });

  it('is not measured where no experiment runs', async () => {
    answer({});
    await open();
    await drawn();
    await page.locator('[data-slot=end]').scrollIntoViewIfNeeded();
    await push(100);
    await until('the list is reported', async () => {
      await page.evaluate(() =>
        (window as unknown as { afterword: { report(action: string): void } }).afterword.report('custom'),
      );
      return reports().length > 0;
    });
    await hide();
    await until('what waited is sent', () => stage.events().some(({ action }) => action === 'pageview'));
    expect(measures()).toEqual([]);
    expect(stage.calls.some(({ path }) => path.startsWith('/experiment-'))).toBe(false);
  });
});
