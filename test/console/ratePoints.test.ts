// Differences of rates in the console: in points. A percentage of a percentage reads as points, and is none.
import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ExperimentRecord } from '../../server/contract/experiments.ts';
import type { SeriesTotals } from '../../server/contract/wire.ts';
import { describeInBrowser } from '../support/browser.ts';
import { postJson } from '../support/http.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readSitePages, settled, signInAt } from './newsroomPage.ts';

const SERIES = '**/v2/analytics/series?*click_rate*';

describeInBrowser('differences of rates', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'points.example', (opened) => {
    ({ server, site, page } = opened);
  });

  const changeOf = (label: string) =>
    page.locator('.totals li').filter({ hasText: label }).locator('.change').allInnerTexts();

  /** The totals of lists as the server answers them, with others in their place. */
  const answerTotals = async (now: Record<string, number>, before: Record<string, number>) => {
    await page.route(SERIES, (route) =>
      changed<{ totals: SeriesTotals }>(route, (body) => {
        const { metrics, previous } = body.totals;
        const was = { ...previous!, metrics: { ...metrics, ...before }, partial: false };
        return { ...body, totals: { metrics: { ...metrics, ...now }, previous: was } };
      }),
    );
  };

  const changed = async <T>(route: Route, change: (body: T) => T) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as T) });
  };

  it('of lists to the period before are points, and those of counts are percentages', async () => {
    await answerTotals(
      { seen: 1000, clicks: 40, click_rate: 0.04, recirculation: 0.2 },
      { seen: 1000, clicks: 50, click_rate: 0.05, recirculation: 0.2 },
    );
    await signInAt(page, `${server.url}/console/?view=lists`, site);
    await settled(page);
    expect(await changeOf('Click rate')).toEqual([
      expect.stringMatching(/^▼\s*1\.00 points\s*less than in the period before$/),
    ]);
    expect(await changeOf('Share of all views')).toEqual(['as before']);
    expect(await changeOf('Quality clicks')).toEqual(['as before']);
    expect(
      await page
        .locator('.totals li')
        .filter({ hasText: /^Clicks/ })
        .locator('.change')
        .innerText(),
    ).toMatch(/^▼\s*20%/);
  });

  it('of lists are none where there is no rate', async () => {
    await answerTotals(
      { seen: 0, clicks: 0, click_rate: 0, views_caused: 0, recirculation: 0 },
      { seen: 1000, clicks: 50, click_rate: 0.05, views_caused: 50, recirculation: 0.2 },
    );
    await signInAt(page, `${server.url}/console/?view=lists`, site);
    await settled(page);
    expect(await page.locator('[data-total=click_rate]').innerText()).toBe('–');
    expect(await page.locator('[data-total=recirculation]').innerText()).toBe('–');
    expect([await changeOf('Click rate'), await changeOf('Share of all views')]).toEqual([[], []]);
    expect(await changeOf('Views caused')).toEqual([expect.stringMatching(/^▼\s*100%/)]);
  });

  it('of variants are points, as in the words of the verdict', async () => {
    const variants = [
      { name: 'control', share: 50 },
      { name: 'grid', share: 50, layout: 'grid' },
    ];
    const add = { name: 'points', slot: 'points', variants };
    await postJson(server, '/v2/experiments', { apikey: site.apikey, secret: site.write_secret, add });
    const comparisons = [
      { metric: 'clicks', difference: 0.0103, low: -0.0082, high: 0.0288, p_value: 1, decided: null },
      { metric: 'views', difference: -0.05, low: -0.15, high: 0.06, p_value: 1, decided: null },
    ] as const;
    await page.route('**/v2/experiments?name=points*', (route) =>
      changed<{ data: ExperimentRecord[] }>(route, (body) => {
        const [found] = body.data;
        const [control, grid] = found!.result!.variants;
        const compared = [control!, { ...grid!, comparisons: [...comparisons] }];
        return { ...body, data: [{ ...found!, result: { ...found!.result!, variants: compared } }] };
      }),
    );
    await signInAt(page, `${server.url}/console/?view=lists`, site);
    const differences = page.getByRole('article', { name: 'Experiment points' }).locator('.difference small');
    await expect
      .poll(() => differences.allInnerTexts())
      .toEqual(['+1.03 points (-0.82 to +2.88)', '-0.05 (-0.15 to +0.06)']);
  });
});
