// Tests of titles that ended long ago: a newsroom has thousands of them after a year, and no job reads them again.
import { expect, test } from 'vitest';
import { createAnnouncer } from '../../server/messages/announceWinners.ts';
import { createAlarms } from '../../server/messages/raiseAlarms.ts';
import { compareAlternatives } from '../../server/rankings/compareAlternatives.ts';
import { createWebhookSecret } from '../../server/sites/webhook.ts';
import { loopbackRules } from '../crawl/support.ts';
import { openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (name: string) => `https://paper.example/${name}`;

test('those that run and those that ended lately are read, and none that ended long ago', async () => {
  const room = await openNewsroom({ now: NOW - 100 * DAY });
  try {
    const begin = (name: string) => room.write(at(name), { title: name, alternatives: [{ title: 'Second' }] });
    const end = (name: string) => room.write(at(name), { alternatives: [] });
    for (const name of ['old', 'long']) await begin(name);
    await end('old');
    room.setNow(NOW - HOUR);
    await begin('recent');
    for (const name of ['recent', 'long']) await end(name);
    await begin('running');
    room.setNow(NOW);
    const webhook = { url: 'http://127.0.0.1:9/', secret: createWebhookSecret() };
    const recipient = { id: 'anna', address: 'anna@example.com', gets: ['experiments'] as const, morning: 0, since: 0 };
    await replaceSite(room.deps.sites, { ...room.site, webhook, mail: [recipient] });
    const read: string[][] = [];
    const posts: typeof room.deps.store.posts = {
      ...room.deps.store.posts,
      async tested(...asked) {
        const found = await room.deps.store.posts.tested(...asked);
        read.push(found.map(({ title }) => title));
        return found;
      },
    };
    const deps = { ...room.deps, store: { ...room.deps.store, posts } };
    await createAnnouncer({ ...deps, rules: loopbackRules }).tick();
    await createAlarms({ ...deps, behind: () => 0 }).tick();
    await compareAlternatives(deps);
    expect(read).toEqual([['long', 'recent', 'running'], ['long', 'recent', 'running'], ['running']]);
    expect((await room.ask('/headlines')).data).toHaveLength(4);
  } finally {
    await room.close();
  }
});
