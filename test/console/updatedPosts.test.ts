// A post that was updated after it was published: marked on the curve of its site and of a filter, and named in the list.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AnnotationRecord } from '../../server/contract/annotations.ts';
import { DAY, HOUR, MINUTE } from '../../server/durations.ts';
import { nameOf } from '../../widget/console/annotations.ts';
import { toFigure, toMoment } from '../../widget/console/figures.ts';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { openDesktop, settled, signInAt } from './newsroomPage.ts';
import { serveConsole } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const FIRST_DAY = { period_start: '2040-03-14' };
const at = (name: string) => `https://paper.example/${name}`;

/** Each with its section, when it was published and when it was updated, in milliseconds before now. */
const POSTS = [
  { name: 'vote', section: 'World', published: 3 * DAY, updated: 26 * HOUR },
  { name: 'match', section: 'Sport', published: 4 * DAY, updated: 2 * DAY },
  { name: 'race', section: 'Sport', published: 5 * DAY, updated: undefined },
];

describeInBrowser('posts that were updated, on the curve of the console', (browser) => {
  let room: Newsroom;
  let server: Awaited<ReturnType<typeof serveConsole>>;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    room = await openNewsroom({ now: NOW, timezone: 'Europe/Berlin' });
    for (const { name, section, published, updated } of POSTS) {
      room.setNow(NOW - published);
      await room.write(at(name), { title: `The ${name}`, section, pubDate: NOW - published });
      if (updated === undefined) continue;
      room.setNow(NOW - updated);
      await room.write(at(name), { tags: ['corrected'] });
    }
    room.setNow(NOW);
    const views = POSTS.flatMap(({ name, published }, index) =>
      Array.from({ length: 3 + index }, () => [
        { url: at(name), visitor: '1', time: NOW - published + MINUTE },
        { url: at(name), visitor: '2', time: NOW - 10 * MINUTE },
      ]),
    );
    await room.happen(...views.flat());
    server = await serveConsole(room.deps);
    ({ context, page } = await openDesktop(browser(), errors));
    await page.clock.setFixedTime(NOW);
    await signInAt(page, server.url, { apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret });
    // Whether anyone is signed in was asked before, and refused.
    errors.length = 0;
  });
  afterAll(async () => {
    await context?.close();
    server?.close();
    await room?.close();
  });

  const open = async (search: string) => {
    await page.goto(`${server.url}?view=traffic&period=7d${search}`);
    await page.locator('.annotations summary').waitFor();
    await settled(page);
  };

  const listed = () =>
    page
      .locator('.annotations li')
      .evaluateAll((all) =>
        all.map((one) => [
          one.querySelector('time')!.dateTime,
          ...[...one.children].map((part) => part.textContent ?? ''),
        ]),
      );

  /** What happened by the API, in the words of the list. */
  const inWords = ({ time, kind, label }: AnnotationRecord) => [time, toMoment(time, 'hour'), nameOf(kind), label];

  const happened = async (filter: Record<string, string>) =>
    (await room.ask('/analytics/annotations', { ...FIRST_DAY, ...filter })).data as unknown as AnnotationRecord[];

  const days = async (filter: Record<string, string>) =>
    (await room.ask('/analytics/series', { ...FIRST_DAY, interval: 'day', metrics: 'views', ...filter }))
      .data as unknown as { start: string; metrics: { views: number } }[];

  /** Moves along the curve to a day. @returns What is said of that day, and whether it has a mark. */
  async function lookAt(index: number): Promise<{ says: string; isMarked: boolean }> {
    const slider = page.getByRole('slider', { name: 'Views by day' });
    await slider.focus();
    await page.keyboard.press('Home');
    for (let step = 0; step < index; step++) await page.keyboard.press('ArrowRight');
    const placeOf = (part: string) =>
      page.locator(`${part} line`).evaluateAll((all) => all.map((one) => one.getAttribute('x1')));
    const [[here], marks] = await Promise.all([placeOf('g.marked'), placeOf('g.annotation')]);
    return { says: (await slider.getAttribute('aria-valuetext'))!, isMarked: marks.includes(here!) };
  }

  it.each([
    ['of the site', {}, ['The vote', 'The match']],
    ['of a section', { section: 'Sport' }, ['The match']],
  ] as const)(
    'are marked on the curve %s at the day of the update, and named in the list',
    async (_, filter, titles) => {
      await open(`&${new URLSearchParams(filter)}`);
      const annotations = await happened(filter);
      expect(annotations.filter(({ kind }) => kind === 'updated').map(({ label }) => label)).toEqual(titles);
      await page.locator('.annotations summary').press('Enter');
      expect(await listed()).toEqual(annotations.map(inWords));
      const dayOf = ({ time }: { time: string }) => time.slice(0, 10);
      for (const [index, day] of (await days(filter)).entries()) {
        const start = day.start.slice(0, 10);
        // The list has the newest first, the curve the oldest.
        const ofDay = annotations.filter((one) => dayOf(one) === start).reverse();
        const { says, isMarked } = await lookAt(index);
        expect([start, isMarked]).toEqual([start, ofDay.length > 0]);
        expect(says).toContain(`: ${toFigure(day.metrics.views)}`);
        expect(says.split('. ').slice(1)).toEqual(ofDay.map(({ kind, label }) => `${nameOf(kind)}: ${label}`));
      }
      expect(await axeFindings(page)).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it('lead from the list to the post, whose own curve has the update at the same time', async () => {
    await open('');
    const [update] = (await happened({})).filter(({ kind }) => kind === 'updated');
    await page.locator('.annotations summary').press('Enter');
    const line = page.locator('.annotations li', { hasText: 'Updated' }).first();
    await line.getByRole('link', { name: update!.label }).press('Enter');
    await page.getByRole('heading', { name: update!.label }).first().waitFor();
    await settled(page);
    await page.locator('.annotations summary').press('Enter');
    expect((await listed())[0]).toEqual(inWords(update!));
    expect(await listed()).toEqual((await happened({ post: update!.url })).map(inWords));
    expect(errors).toEqual([]);
  });
});
