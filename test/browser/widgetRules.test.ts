// Rules of editors, from the request that writes them to the list that a reader sees and the report of it.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assignVariant } from '../../server/contract/assignment.ts';
import { answerFromRoom } from '../support/answerFromRoom.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';
import { articlePage, openStage, type Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const PAGE = 'ferry';
const PINNED = 'bread';
const SLOT = '<div data-afterword="related" data-slot="end" data-limit="3"></div>';
const VARIANTS = [
  { name: 'control', share: 50 },
  { name: 'chosen', share: 50, rules: 'chosen' },
];

describeInBrowser('rules of editors', (browser) => {
  let stage: Stage;
  let room: Newsroom;
  const address = (name: string): string => `${stage.site}/${name}`;

  beforeAll(async () => {
    stage = await openStage();
    room = await openNewsroom({ now: Date.now(), id: 'example.com' });
    await replaceSite(room.deps.sites, { ...room.site, domains: ['127.0.0.1'] });
    answerFromRoom(stage, room);
    const titles = ['ferry', 'tickets', 'harbour', 'island', 'boats'];
    for (const name of titles)
      await room.write(address(name), { title: `The ${name} of the island ferry harbour`, pubDate: Date.now() - 1000 });
    await room.write(address(PINNED), { title: 'A patient baker', pubDate: Date.now() - 1000 });
  });
  afterAll(async () => {
    await stage.close();
    await room.close();
  });

  async function change(path: string, body: object): Promise<void> {
    const answer = await room.app.request(`${stage.host}/v2/${path}`, {
      method: 'POST',
      body: JSON.stringify({ apikey: room.site.id, secret: room.writeSecret, ...body }),
    });
    expect(await answer.json()).toMatchObject({ success: true });
  }

  /** Posts of the list that a reader of the page sees, in order, and each as it was reported with why it stands there. */
  async function seenBy(variant: string): Promise<{ listed: (string | undefined)[]; reported: string[] }> {
    const reader = Array.from({ length: 100 }, (_, at) => `reader-${at}`).find(
      (id) => assignVariant('pinned', id, VARIANTS)?.name === variant,
    )!;
    const page: Page = await browser().newPage({ viewport: { width: 800, height: 900 } });
    await page.goto(stage.page(`/${PAGE}`, articlePage(stage, SLOT, `data-visitor="${reader}"`)));
    const links = page.locator('[data-slot=end] li a');
    await until('the list is there', async () => (await links.count()) === 3);
    const listed = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname.slice(1)));
    const reports = () =>
      stage.events().flatMap(({ lists = [] }) => lists.filter((list) => (list.variant ?? '') === variant));
    await until('what was seen is reported', async () => {
      await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
      return reports().flatMap(({ seen }) => seen ?? []).length === 3;
    });
    const reported = reports().flatMap(({ seen = [] }) =>
      seen.map(([position, post, source]) => `${position} ${post.slice(address('').length)} ${source}`),
    );
    await page.close();
    return { listed, reported };
  }

  it('of a variant are seen, and reported as chosen by an editor, by its readers and no others', async () => {
    await change('rules', { set: { name: 'chosen', rules: [{ pin: address(PINNED), position: 2 }] } });
    await change('experiments', { add: { name: 'pinned', slot: 'end', variants: VARIANTS } });
    const control = await seenBy('control');
    expect(control.listed).not.toContain(PINNED);
    expect(control.reported.join()).not.toContain('editor');
    const chosen = await seenBy('chosen');
    expect(chosen.listed).toEqual([control.listed[0], PINNED, control.listed[1]]);
    expect(chosen.reported).toContain(`2 ${PINNED} editor`);
  });
});
