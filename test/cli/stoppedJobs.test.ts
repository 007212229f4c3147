// A server that stops while a periodic job goes through its sites: the job ends after the site that it is at, and does
// not hold up the end until all have had their turn.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Parts } from '../../server/cli/assemble.ts';
import { jobsOf } from '../../server/cli/periodicJobs.ts';
import { createAlarms } from '../../server/messages/raiseAlarms.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { createWebhookSecret } from '../../server/sites/webhook.ts';
import { silent } from '../storage/scratch.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T08:00:00Z');
const DAY = '2040-03-15';
const NAMES = ['one.example', 'two.example', 'three.example'];

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  for (const name of NAMES) {
    const id = parseSiteId(name)!;
    await room.deps.sites.add({
      ...room.site,
      id,
      webhook: { url: `https://${name}/hook`, secret: createWebhookSecret() },
      alarms: { format: 'json', minimum: 1, since: 0, morning: 7 * 60 },
      experiments: [
        {
          ...{ name: 'grid', slot: 'end', goal: 'clicks', readers: 100, state: 'running', startedAt: NOW - 60_000 },
          variants: ['control', 'grid'].map((variant) => ({ name: variant, share: 50 })),
        },
      ],
    });
    const patch = { title: 'Own', alternatives: [{ title: 'Other' }] };
    await room.deps.library.write(id, `https://${name}/a`, { patch });
  }
  room.setNow(NOW + 3_600_000);
});
afterAll(() => room.close());

/** Runs a job of the server, which stops at the first question about a site. @returns The sites that were asked about. */
async function stopWithin(name: string): Promise<string[]> {
  const stop = new AbortController();
  const asked = new Set<string>();
  const ask = (site: unknown) => {
    asked.add(String(site));
    stop.abort();
  };
  const { deps } = room;
  const days = NAMES.map((site) => ({ site, day: DAY, views: 1e6 }));
  const store = {
    ...deps.store,
    traffic: {
      ...deps.store.traffic,
      run: async (query: Parameters<typeof deps.store.traffic.run>[0]) => {
        ask(query.params?.site);
        return await deps.store.traffic.run(query);
      },
    },
    settledDays: {
      ...deps.store.settledDays,
      unsettled: async () => days,
      settle: async ({ site }: { site: string }) => {
        ask(site);
        return true;
      },
    },
    materialisedHours: { ...deps.store.materialisedHours, busy: async () => days },
  };
  const alarms = createAlarms({ ...deps, store, behind: () => 0 });
  const parts = { ...deps, store, alarms, copies: { owns: () => true } };
  const others = Object.fromEntries(
    ['quotas', 'announcer', 'delivery', 'diskWatch', 'partners', 'crawler', 'eventPosts', 'readership'].map((part) => [
      part,
      { retention: {} },
    ]),
  );
  const jobs = jobsOf({ ...others, ...parts } as unknown as Parts, { log: silent, now: deps.now });
  await jobs.find((job) => job.name === name)!.run(stop.signal);
  return [...asked];
}

test.each([
  'make morning pages',
  'raise alarms',
  'end experiments',
  'compare titles and pictures',
  'keep what followed clicks',
  'keep busy days by hour',
])('"%s" asks about one site, and not about the others', async (name) => {
  expect(await stopWithin(name)).toHaveLength(1);
});
