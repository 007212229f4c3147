// The console's view of headline tests: which titles and pictures are compared, and what is said of one that has won.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { getJson, postJson } from '../support/http.ts';
import { startServer, type TestServer, type TestSite } from '../support/server.ts';
import { addReadSite, openDesktop, settled, signInAt } from './newsroomPage.ts';

const BREAD = 'http://localhost:9/bread';
const OWN = `${BREAD}.jpg`;
const OTHER = `${BREAD}-warm.jpg`;

describeInBrowser('headline tests in the console', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    server = await startServer();
    site = await addReadSite(server, 'headlines.example');
    await compare([{ image_url: OTHER }]);
    ({ context, page } = await openDesktop(browser(), []));
    await signInAt(page, `${server.url}/console/?view=lists`, site);
  });
  afterAll(async () => {
    await context.close();
    await server.stop();
  });

  const compare = (alternatives: object[]) =>
    postJson(server, '/v2/metadata/posts', {
      apikey: site.apikey,
      secret: site.write_secret,
      metadata: { canonical_url: BREAD, title: 'Of bread', image_url: OWN, alternatives },
    });

  const test = () => page.getByRole('article', { name: 'Headline test of Of bread' });

  it('name the picture of each alternative that has another one than the post', async () => {
    await settled(page);
    const alternatives = test().getByRole('listitem');
    await alternatives.nth(1).waitFor();
    expect(await alternatives.count()).toBe(2);
    expect(await alternatives.nth(0).textContent()).not.toContain('picture');
    expect(await alternatives.nth(1).textContent()).toContain(`Of breadwith the picture ${OTHER}`);
  });

  it('say when one wins: not by 95% of a few readers alone', async () => {
    const keys = { apikey: site.apikey, secret: site.secret };
    const { data } = await getJson<{ data: [{ alternatives: object[] }] }>(server, '/v2/headlines', keys);
    const metrics = { seen: 40, clicks: 9, quality_clicks: 9 };
    const alternatives = data[0].alternatives.map((one, at) => ({ ...one, metrics: { ...metrics, probability: at } }));
    await page.route('**/api/v2/headlines?**', (route) =>
      route.fulfill({ json: { data: [{ ...data[0], alternatives }], success: true } }),
    );
    await page.reload();
    await settled(page);
    expect(await test().locator('.says').textContent()).toBe(
      `The picture ${OTHER} leads: the best with a probability of 100%. One wins at 95%, once lists showed the post 1,000 times of late, or after seven days, where they showed each 100 times in the mean.`,
    );
    await page.unroute('**/api/v2/headlines?**');
  });

  it.each([
    ['a picture', { title: 'Of bread', image_url: OTHER }, `The picture ${OTHER} won on 2 November 2026, and replaced`],
    ['a title', { title: 'Warm', image_url: OWN }, '“Warm” won on 2 November 2026, and replaced the post’s own.'],
  ])('say of %s that has won what it did, not that the post has it still', async (_, won, says) => {
    const keys = { apikey: site.apikey, secret: site.secret };
    const { data } = await getJson<{ data: [object] }>(server, '/v2/headlines', keys);
    const ended = { state: 'won', started: '2026-11-01T12:00:00Z', ended: '2026-11-02T12:00:00Z', winner: 2 };
    const alternatives = [{ title: 'Of bread', image_url: OWN }, won].map((one) => ({ ...one, share: 0.5 }));
    const answer = { data: [{ ...data[0], ...ended, alternatives }], success: true };
    await page.route('**/api/v2/headlines**', (route) => route.fulfill({ json: answer }));
    await page.reload();
    await settled(page);
    await test()
      .getByRole('button', { name: /^Result/ })
      .click();
    await test().locator('.says').waitFor();
    expect(await test().locator('.says').textContent()).toContain(says);
    expect(await test().getByText('shown now').count()).toBe(0);
    await page.unroute('**/api/v2/headlines**');
  });
});
