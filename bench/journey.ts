// How much of our code one warm request passes: files and functions, by V8's precise coverage of the built server.
// npm run bench -- journey --list 'POST /events'   lists the functions by file
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BROWSER } from '../test/support/beacons.ts';
import { makeDataDir, removeDataDirs } from '../test/support/dataDir.ts';
import { addressOfPost, type CostSite, openCostSite } from './support/costSite.ts';
import { type Coverage, coverageIn, type Place } from './support/coverage.ts';
import type { Bench } from './support/table.ts';

const OPTIONS = { list: { type: 'string', default: '' } } as const;
/** Each request is measured so often: what a timer did meanwhile is not there each time. */
const TIMES = 5;
/** Until an event is in the tables, and all pauses after it are over. */
const SETTLED_MS = 3_000;
/** Requests before the measured ones: all journeys', since the first reading slows down what is loaded after it. */
const WARMING = 30;

interface Asked {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

type Ask = (site: CostSite['site'], serial: number) => Asked;

const agent = new Agent({ keepAlive: true });

const JOURNEYS: Readonly<Record<string, Ask>> = {
  'POST /events, until it is in the tables': ({ apikey }, serial) => ({
    method: 'POST',
    path: '/events',
    body: JSON.stringify({
      events: [
        {
          idsite: apikey,
          action: 'pageview',
          url: addressOfPost({ apikey }, 7),
          urlref: 'https://www.google.com/',
          eid: `event-${serial}`,
          screen: '1920x1080',
          data: { parsely_site_uuid: 'reader-7' },
        },
      ],
    }),
  }),
  'GET /related, computed': ({ apikey }, serial) => ({
    method: 'GET',
    path: `/v2/related?apikey=${apikey}&url=${encodeURIComponent(addressOfPost({ apikey }, 100 + serial))}`,
  }),
  'GET /related, cached': ({ apikey }) => ({
    method: 'GET',
    path: `/v2/related?apikey=${apikey}&url=${encodeURIComponent(addressOfPost({ apikey }, 99))}`,
  }),
  'GET /analytics/posts': ({ apikey, secret }) => ({
    method: 'GET',
    path: `/v2/analytics/posts?apikey=${apikey}&secret=${secret}&limit=10`,
  }),
};

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const coverage = coverageIn(makeDataDir());
  const opened = await openCostSite(1, undefined, coverage.env);
  try {
    for (const ask of Object.values(JOURNEYS))
      for (let serial = 0; serial < WARMING; serial++) await send(opened.server.url, ask(opened.site, serial));
    const rows: (string | number)[][] = [];
    for (const [name, ask] of Object.entries(JOURNEYS)) {
      const places = await passedBy(opened, ask, coverage);
      if (values.list !== '' && name.startsWith(values.list)) console.log(places.join('\n'));
      const files = new Set(places.map((place) => place.split(':')[0]));
      const named = places.filter((place) => !place.endsWith(' ')).length;
      rows.push([name, files.size, named, places.length - named]);
    }
    return {
      title: 'Files and functions of the server that one warm request passes',
      columns: ['Request', 'files', 'functions with a name', 'without'],
      rows,
      notes: [
        `By V8’s precise coverage of the built server, in ${TIMES} requests; functions of packages are not counted, and neither is what runs without a request.`,
      ],
    };
  } finally {
    agent.destroy();
    await opened.server.stop();
    removeDataDirs();
  }
};

export default bench;

/** Functions that requests call more often than they are called without one in the same time, sorted. */
async function passedBy({ server, site }: CostSite, ask: Ask, coverage: Coverage): Promise<Place[]> {
  await setTimeout(SETTLED_MS);
  const readings: { before: Map<Place, number>; asked: Map<Place, number> }[] = [];
  for (let time = 0; time < TIMES; time++) {
    // Otherwise a timer with the period of two readings would always fall into the same one.
    await setTimeout((time * SETTLED_MS) / TIMES);
    await coverage.read(server);
    await setTimeout(SETTLED_MS);
    const before = await coverage.read(server);
    const began = performance.now();
    const { 'afterword-index': index } = await send(server.url, ask(site, WARMING + time));
    if (index !== undefined)
      throw new Error('The index of the site is not loaded: the most recent posts were answered.');
    await setTimeout(SETTLED_MS - (performance.now() - began));
    readings.push({ before, asked: await coverage.read(server) });
  }
  const isPassed = (place: Place) => {
    const more = readings.map(({ before, asked }) => (asked.get(place) ?? 0) - (before.get(place) ?? 0));
    const inAll = more.reduce((sum, calls) => sum + calls, 0) >= TIMES;
    // A timer may have called it more often before one of the requests.
    return inAll && more.filter((calls) => calls > 0).length >= TIMES - 1;
  };
  return [...(readings[0]?.asked.keys() ?? [])].filter(isPassed).sort();
}

async function send(url: string, { method, path, body }: Asked): Promise<IncomingMessage['headers']> {
  const sent = request(`${url}${path}`, { method, agent, headers: { 'User-Agent': BROWSER } }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`${method} ${path} was answered ${response.statusCode}.`);
  return response.headers;
}
