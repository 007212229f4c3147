// The dials in the preview: the list of a page changes beside the sliders while they are moved.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

const DAY = 86_400_000;
const FERRY = 'The night ferry leaves the old harbour; tickets are sold at the kiosk.';

describeInBrowser('the dials of the preview', (browser) => {
  let server: TestServer;
  let site: TestSite;
  let page: Page;

  const write = async (name: string, metadata: object) => {
    const canonical_url = `https://paper.example/${name}`;
    const body = JSON.stringify({
      apikey: site.apikey,
      secret: site.write_secret,
      metadata: { canonical_url, ...metadata },
    });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${server.url}/v2/metadata/posts`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ success: true });
  };
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString();

  beforeAll(async () => {
    server = await startServer();
    site = await addSite(server, 'paper.example');
    await write('page', { title: 'The night ferry', full_content: FERRY, pub_date_tmsp: daysAgo(400) });
    await write('old', { title: 'The old ferry', full_content: `${FERRY} Fares rise.`, pub_date_tmsp: daysAgo(390) });
    await write('new', { title: 'A ticket', full_content: `${FERRY} Bread, chess, opera.`, pub_date_tmsp: daysAgo(1) });
    for (let n = 0; n < 40; n++) await write(`x${n}`, { title: `Matter${n}`, full_content: `quarrel${n} abroad${n}` });
    page = await browser().newPage({ viewport: { width: 1400, height: 1000 } });
  });
  afterAll(async () => {
    await page.close();
    await server.stop();
  });

  it('changes the list beside the sliders, says what moved, and how the site is set so', async () => {
    await page.goto(`${server.url}/preview?site=${site.apikey}&post=https://paper.example/page`);
    const dials = page.getByRole('region', { name: 'Dials' });
    const titles = () => dials.locator('ol a').allTextContents();
    await until('the list of the page is there', async () => (await titles()).join() === 'The old ferry,A ticket');
    expect(await dials.locator('input[type=range]').count()).toBe(4);
    await dials.getByLabel('Freshness').fill('1');
    await until('the newer one is first', async () => (await titles()).join() === 'A ticket,The old ferry');
    expect(await dials.locator('ol li').first().textContent()).toContain('was 2');
    expect(await dials.locator('code').textContent()).toBe('afterword site change paper.example --freshness 1');
    expect(await axeFindings(page)).toEqual([]);
    await dials.getByLabel('Freshness').fill('0');
    await until('it is as before', async () => (await titles()).join() === 'The old ferry,A ticket');
  });
});
