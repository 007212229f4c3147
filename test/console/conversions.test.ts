// Conversions of a post that has more kinds of them than a page lists.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BROWSER } from '../support/beacons.ts';
import { describeInBrowser } from '../support/browser.ts';
import { allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { addReadSite, openDesktop, signInAt } from './newsroomPage.ts';

const URL_OF_POST = 'http://localhost:9/bread';
const LABELS = 120;

describeInBrowser('conversions of a post', (browser) => {
  let server: TestServer;
  let site: TestSite;

  beforeAll(async () => {
    server = await startServer();
    site = await addReadSite(server, 'converts.example');
    const conversion = (at: number) => ({
      idsite: site.apikey,
      url: URL_OF_POST,
      action: 'conversion',
      eid: `conversion-${at}`,
      data: { parsely_site_uuid: 'reader-5-0', _conversion_type: 'link_click', _conversion_label: `link ${at}` },
    });
    const body = JSON.stringify({ events: Array.from({ length: LABELS }, (_, at) => conversion(at)) });
    const answer = await fetch(`${server.url}/events`, { method: 'POST', headers: { 'User-Agent': BROWSER }, body });
    expect(answer.ok).toBe(true);
    await allStored(server);
  });
  afterAll(() => server.stop());

  it('are counted whole, whatever number of labels they have', async () => {
    const { context, page } = await openDesktop(browser(), []);
    await signInAt(page, `${server.url}/console/?view=post&post=${encodeURIComponent(URL_OF_POST)}`, site);
    const total = page.locator('[data-total=conversions]');
    await expect.poll(() => total.innerText(), { timeout: 30_000 }).not.toBe('…');
    expect(await total.innerText()).toBe(String(LABELS));
    await page.getByText(/, and 20 more kinds$/).waitFor();
    await context.close();
  });
});
