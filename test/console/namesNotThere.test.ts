// Names that nothing has: in the address of the view of lists, and in rules of editors.
import { expect, it } from 'vitest';
import { MINUTE } from '../../server/durations.ts';
import { describeInBrowser } from '../support/browser.ts';
import { settled, signInAt } from './newsroomPage.ts';
import { type RoomPage, roomPage } from './servedConsole.ts';

const NOW = Date.parse('2040-03-20T12:00:00Z');
const URL_OF_POST = 'https://paper.example/a';

describeInBrowser('a name that nothing has', (browser) => {
  let opened: RoomPage;
  roomPage(browser, { now: NOW, views: [NOW - MINUTE] }, (one) => {
    opened = one;
  });

  it('is said with its filter and with what there is, where the address names it', async () => {
    const { room, url, page } = opened;
    await page.clock.setFixedTime(NOW);
    await signInAt(page, url, { apikey: room.site.id, secret: room.secret, write_secret: room.writeSecret });
    const said = page.getByRole('main').getByRole('alert');
    await page.goto(`${url}?view=lists&layout=nosuch`);
    await said.waitFor();
    expect(await said.innerText()).toMatch(/^layout “nosuch”: Give one of list, grid, row, compact\./);
  });

  it('is said once for all tables, until the filter is taken away', async () => {
    const { url, page } = opened;
    const said = page.getByRole('main').getByRole('alert');
    for (const view of ['view=traffic', `view=post&post=${encodeURIComponent(URL_OF_POST)}`, 'view=lists']) {
      await page.goto(`${url}?${view}&device=toaster`);
      await said.first().waitFor();
      await page.waitForFunction(() => document.querySelectorAll('[aria-busy=true]').length === 0);
      expect(await said.allInnerTexts()).toEqual(['device “toaster”: Give one of desktop, mobile, tablet.']);
      await page.getByRole('button', { name: 'Device toaster' }).click();
      await page.locator('.totals strong').first().waitFor();
      expect(await said.count()).toBe(0);
    }
  });

  it('is said where it is longer than any name, and narrows nothing in silence', async () => {
    const { url, page } = opened;
    const said = page.getByRole('main').getByRole('alert');
    for (const [view, name, most] of [
      ['traffic', 'section', 1024],
      ['traffic', 'post', 2048],
      ['lists', 'slot', 1024],
    ] as const) {
      await page.goto(`${url}?view=${view}&${name}=${name === 'post' ? `${URL_OF_POST}/` : ''}${'x'.repeat(most + 1)}`);
      await said.first().waitFor();
      expect([name, await said.allInnerTexts()]).toEqual([
        name,
        [expect.stringMatching(new RegExp(`^${name} “.*x”: .*${most}`))],
      ]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440);
    }
  });

  it('is said of the rules that name it, and of no other', async () => {
    const { room, url, page } = opened;
    await room.write('https://paper.example/b', { title: 'B', section: 'Home', tags: ['sea'], authors: ['Ann'] });
    const rules = [
      { hide: { section: 'Renamed' } },
      { hide: { section: 'Home' } },
      { hide: { tag: 'sea' }, on_section: 'Travel' },
      { hide: { author: 'Ann' } },
      { hide: { author: 'Bob' } },
      { pin: URL_OF_POST, position: 1 },
    ];
    const answer = await room.app.request('http://stats.example/v2/rules', {
      method: 'POST',
      body: JSON.stringify({
        apikey: room.site.id,
        secret: room.writeSecret,
        set: { name: 'all', always: true, rules },
      }),
    });
    expect(answer.status).toBe(200);
    await page.goto(`${url}?view=lists`);
    const shown = page.getByRole('region', { name: 'Rules of editors' }).getByRole('listitem');
    await shown.first().waitFor();
    await settled(page);
    await shown.getByText('No post is by Bob now').waitFor();
    const says = await shown.evaluateAll((all) =>
      all.map((one) => one.querySelector('.without-posts')?.textContent ?? ''),
    );
    expect(says).toEqual([
      'No post is in section Renamed now: the rule has no effect.',
      '',
      'No post is in section Travel now: the rule has no effect.',
      '',
      'No post is by Bob now: the rule has no effect.',
      '',
    ]);
  });
});
