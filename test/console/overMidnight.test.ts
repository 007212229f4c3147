// A console that stays open over midnight: the views that are opened in the morning are of that day.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOUR } from '../../server/traffic/zone.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { openDesktop, settled } from './newsroomPage.ts';
import { serveConsole } from './servedConsole.ts';

const EVENING = Date.parse('2040-03-20T22:00:00+01:00');
const url = 'https://paper.example/a';

describeInBrowser('a console that stays open over midnight', (browser) => {
  let room: Newsroom;
  let server: Awaited<ReturnType<typeof serveConsole>>;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    room = await openNewsroom({ now: EVENING, timezone: 'Europe/Berlin' });
    await room.write(url, { title: 'A' });
    const times = ['20T21:00', '21T07:00', '21T07:30'].map((time) => Date.parse(`2040-03-${time}:00+01:00`));
    await room.happen(...times.map((time) => ({ url, time })));
    server = await serveConsole(room.deps);
    ({ context, page } = await openDesktop(browser(), []));
  });
  afterAll(async () => {
    await context?.close();
    server?.close();
    await room?.close();
  });

  it('opens a view in the morning with the days of that morning', async () => {
    await page.clock.setFixedTime(EVENING);
    await page.goto(`${server.url}?view=now&period=today`);
    await page.getByLabel('Site ID').fill(room.site.id);
    await page.getByLabel('Secret').fill(room.secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('[data-figure=visitors]').waitFor();
    const morning = EVENING + 10 * HOUR;
    room.setNow(morning);
    await page.clock.setFixedTime(morning);
    await page.getByRole('link', { name: 'Traffic' }).click();
    await settled(page);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('21 March 2040');
    expect(await page.locator('[data-total=views]').innerText()).toContain('2');
  });
});
