// The rates of an experiment in the console: which of them its verdict rests on.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { postJson } from '../support/http.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { readSitePages, reportList, signInAt } from './newsroomPage.ts';

describeInBrowser('the rates of an experiment', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  readSitePages(browser, 'rates.example', (opened) => {
    ({ server, site, page } = opened);
  });

  it.each([
    ['views', ['Clicks a list', 'Quality clicks a list']],
    ['quality_clicks', ['Clicks a list']],
    ['clicks', []],
  ])(
    'of the goal %s say that they are not in the verdict where they are neither goal nor guardrail',
    async (goal, beside) => {
      const variants = [
        { name: 'control', share: 50 },
        { name: 'grid', share: 50, layout: 'grid' },
      ];
      const name = goal.replace('_', '-');
      const add = { name, slot: name, goal, variants };
      await postJson(server, '/v2/experiments', { apikey: site.apikey, secret: site.write_secret, add });
      await signInAt(page, `${server.url}/console/?view=lists`, site);
      const rates = page
        .getByRole('article', { name: `Experiment ${name}` })
        .locator('dl')
        .first()
        .locator('dt');
      await rates.filter({ hasText: 'goal' }).waitFor();
      expect(await rates.filter({ hasText: 'not in the verdict' }).allInnerTexts()).toEqual(
        beside.map((rate) => `${rate} not in the verdict`),
      );
    },
  );

  it('are of one reader in the singular', async () => {
    const variants = [
      { name: 'control', share: 50 },
      { name: 'grid', share: 50, layout: 'grid' },
    ];
    const add = { name: 'single', slot: 'single', variants };
    await postJson(server, '/v2/experiments', { apikey: site.apikey, secret: site.write_secret, add });
    await reportList(server, site, { slot: 'single', experiment: 'single', variant: 'grid' });
    await signInAt(page, `${server.url}/console/?view=lists`, site);
    const readers = page.getByRole('article', { name: 'Experiment single' }).locator('.differences p .soft');
    await expect.poll(() => readers.allInnerTexts()).toEqual(['control, 0 readers', '1 reader']);
  });
});
