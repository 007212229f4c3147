// Resident memory of a server with the engine inside under the steady traffic of small sites: with the usual settings, and with those that
// docs/operate.md has for a small machine.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BROWSER } from '../test/support/beacons.ts';
import { makeDataDir, removeDataDirs } from '../test/support/dataDir.ts';
import { startServer, type TestServer } from '../test/support/server.ts';
import { addressOf, fillSites, smallSite } from './support/manySites.ts';
import { residentOf } from './support/serverMemory.ts';
import { type Bench, median } from './support/table.ts';

const OPTIONS = {
  sites: { type: 'string', default: '1,10' },
  posts: { type: 'string', default: '2000' },
  events: { type: 'string', default: '20' },
  minutes: { type: 'string', default: '3' },
  settings: { type: 'string', default: 'usual,small' },
} as const;

/** What the command gives to Node by itself comes with `usual`. `small`: docs/operate.md, "A machine with 512 MB". */
const SETTINGS: Readonly<Record<string, Record<string, string>>> = {
  usual: { NODE_OPTIONS: '--max-semi-space-size=32' },
  small: {
    NODE_OPTIONS: '--max-semi-space-size=4',
    MALLOC_ARENA_MAX: '2',
    AFTERWORD_INDEX_MEMORY: '64',
    AFTERWORD_THUMBNAILS: 'no',
  },
};

interface Traffic {
  sites: number;
  posts: number;
  /** Events a second, of all sites together; as many lists in ten are asked for. */
  events: number;
  minutes: number;
}

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const [posts, events, minutes] = [values.posts, values.events, values.minutes].map(Number) as [
    number,
    number,
    number,
  ];
  const rows: (string | number)[][] = [];
  for (const sites of values.sites.split(',').map(Number)) {
    for (const name of values.settings.split(',')) {
      const env = SETTINGS[name];
      if (env === undefined) throw new Error(`There are no settings ${name}. There are: ${Object.keys(SETTINGS)}.`);
      rows.push([`${sites} × ${posts} posts, ${name}`, ...(await measure(env, { sites, posts, events, minutes }))]);
      console.log(rows.at(-1)!.join(' | '));
    }
  }
  return {
    title: `Memory of one process, ${events} events a second for ${minutes} minutes`,
    columns: ['what', 'after the start', 'second half, median', 'most', 'events, lists answered', 'not answered'],
    rows,
    notes: [
      `Resident memory with the engine inside, MB. A tenth as many lists as events: /related and /top in turn. Settings: ${JSON.stringify(SETTINGS)}.`,
    ],
  };
};

export default bench;

async function measure(env: Record<string, string>, { sites, posts, events, minutes }: Traffic) {
  const dataDir = makeDataDir();
  await fillSites({
    engine: { kind: 'embedded', path: join(dataDir, 'engine') },
    sites,
    postsEach: posts,
    now: Date.now(),
  });
  const server = await startServer({ dataDir, env });
  try {
    const begun = residentOf(server.pid);
    const seen: number[] = [];
    const answered = { events: 0, lists: 0, failed: 0 };
    const end = performance.now() + minutes * 60_000;
    for (let sent = 0; performance.now() < end; sent++) {
      const next = setTimeout(1000 / events);
      void send(server, { sent, sites, posts }, answered);
      if (sent % events === 0) seen.push(residentOf(server.pid));
      await next;
    }
    const late = seen.slice(Math.floor(seen.length / 2));
    return [
      megabytes(begun),
      megabytes(median(late)),
      megabytes(Math.max(...seen)),
      `${answered.events}, ${answered.lists}`,
      answered.failed,
    ];
  } finally {
    await server.stop();
    await removeDataDirs();
  }
}

/** One event, and with every tenth a list. */
async function send(
  { url }: TestServer,
  { sent, sites, posts }: { sent: number; sites: number; posts: number },
  answered: { events: number; lists: number; failed: number },
): Promise<void> {
  const site = smallSite(sent % sites);
  const page = addressOf(site, (sent * 7919) % posts);
  const event = { idsite: site, action: 'pageview', url: page, eid: crypto.randomUUID(), u: `reader-${sent % 5000}` };
  const ask = async (kind: 'events' | 'lists', asked: Promise<Response>) => {
    try {
      const answer = await asked;
      await answer.arrayBuffer();
      answered[answer.ok ? kind : 'failed']++;
    } catch {
      answered.failed++;
    }
  };
  const headers = { 'User-Agent': BROWSER };
  await ask('events', fetch(`${url}/events`, { method: 'POST', headers, body: JSON.stringify({ events: [event] }) }));
  if (sent % 10 > 0) return;
  const list = sent % 20 === 0 ? `related?apikey=${site}&url=${page}` : `top/posts?apikey=${site}`;
  await ask('lists', fetch(`${url}/v2/${list}`));
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
