// A console that stays open over midnight: the views that are opened in the morning are of that day.
import { expect, it } from 'vitest';
import { HOUR } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { settled } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const EVENING = Date.parse('2040-03-20T22:00:00+01:00');
const VIEWS = ['20T21:00', '21T07:00', '21T07:30'].map((time) => Date.parse(`2040-03-${time}:00+01:00`));

describeInBrowser('a console that stays open over midnight', (browser) => {
  let room: RoomPage['room'];
  let url: string;
  let page: RoomPage['page'];
  roomPage(browser, { now: EVENING, views: VIEWS }, (opened) => {
    ({ room, url, page } = opened);
  });

  it('opens a view in the morning with the days of that morning', async () => {
    await page.clock.setFixedTime(EVENING);
    await page.goto(`${url}?view=now&period=today`);
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

  it('shows the new day in a view that stays open, without a press', async () => {
    room.setNow(EVENING);
    const later = await page.context().newPage();
    await later.clock.install({ time: EVENING });
    await later.goto(`${url}?period=today`);
    await settled(later);
    expect(await later.getByRole('heading', { level: 1 }).innerText()).toContain('20 March 2040');
    room.setNow(EVENING + 10 * HOUR);
    await later.clock.fastForward(10 * HOUR);
    await later.getByRole('heading', { level: 1, name: '21 March 2040' }).waitFor();
    await settled(later);
    expect(await later.locator('[data-total=views]').innerText()).toContain('2');
    await later.close();
  });

  it('has the figures of a day that is not over again every ten minutes, and of one that is over once', async () => {
    room.setNow(EVENING + 10 * HOUR);
    const open = await page.context().newPage();
    await open.clock.install({ time: EVENING + 10 * HOUR });
    const asked: string[] = [];
    open.on('request', (request) => asked.push(request.url()));
    await open.goto(`${url}?period=today`);
    await settled(open);
    expect(await open.locator('[data-total=views]').innerText()).toContain('2');
    await room.happen({ url: 'https://paper.example/a', time: EVENING + 10.5 * HOUR });
    room.setNow(EVENING + 10.8 * HOUR);
    await open.clock.fastForward(0.8 * HOUR);
    await until('the third view is there', async () =>
      (await open.locator('[data-total=views]').innerText()).includes('3'),
    );
    await settled(open);
    await open.goto(`${url}?period=yesterday`);
    await settled(open);
    asked.length = 0;
    await open.clock.fastForward(HOUR);
    expect(asked.filter((address) => address.includes('/analytics/series'))).toEqual([]);
    await open.close();
  });

  it.each([
    [
      'lists',
      'view=lists',
      ['analytics/series', 'analytics/annotations', 'lists?group=slot'],
      ['experiments', 'rules', 'headlines'],
    ],
    [
      'a post',
      `view=post&post=${encodeURIComponent('https://paper.example/a')}`,
      ['analytics/series', 'analytics/referrers', 'lists?group=page'],
      ['analytics/post/growth', 'related'],
    ],
  ] as const)('has the figures of %s again as well', async (_, view, ofPeriod, ofNow) => {
    room.setNow(EVENING + 9.2 * HOUR);
    const open = await page.context().newPage();
    await open.clock.install({ time: EVENING + 9.2 * HOUR });
    const asked: string[] = [];
    open.on('request', (request) => asked.push(request.url()));
    const missing = (paths: readonly string[]) =>
      paths.filter((path) => !asked.some((address) => address.includes(`/v2/${path}`)));
    for (const [period, again, once] of [
      ['today', [...ofPeriod, ...ofNow], []],
      ['yesterday', ofNow, ofPeriod],
    ] as const) {
      await open.goto(`${url}?${view}&period=${period}`);
      await settled(open);
      await until('the view is there', () => missing([...ofPeriod, ...ofNow]).length === 0);
      asked.length = 0;
      await open.clock.fastForward(0.5 * HOUR);
      await until('what may have changed is asked for', () => missing(again).length === 0);
      await settled(open);
      expect(missing(once)).toEqual(once);
      asked.length = 0;
    }
    await open.close();
  });
});
