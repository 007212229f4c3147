// A rolling restart under traffic: two copies of the server on one ClickHouse server, nginx with the shipped configuration in front, both
// copies restarted one after the other as the handbook says. How many requests fail, and is every acknowledged event counted once?
import { parseArgs } from 'node:util';
import { findProgram } from '../test/support/shippedProxies.ts';
import type { LoadSample } from './support/load.ts';
import {
  begunOf,
  EVENTS_A_BATCH,
  failuresOf,
  problemsOf,
  READERS,
  restartUnderTraffic,
  totalOf,
} from './support/rollingRestart.ts';
import type { Bench } from './support/table.ts';

const PAGES = 500;
const OPTIONS = {
  rate: { type: 'string', default: '500' },
  seconds: { type: 'string', default: '60' },
} as const;

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const nginx = findProgram('nginx');
  if (nginx === undefined) throw new Error('nginx is not on the PATH: apt-get install nginx-light, and run it again.');
  const asked = { rate: Number(values.rate), seconds: Number(values.seconds), pages: PAGES };
  const found = await restartUnderTraffic(nginx, asked);
  const reads = ({ answered, p50, p99, longest }: LoadSample) => `${answered}; ${p50} / ${p99} / ${longest} ms`;
  return {
    title: `Two copies restarted one after the other, ${asked.rate} requests a second through nginx`,
    columns: ['what', 'measured'],
    rows: [
      ['requests a second, begun', (totalOf(found.samples, begunOf) / found.seconds).toFixed(0)],
      ['requests, of these failed', `${totalOf(found.samples, begunOf)}, ${totalOf(found.samples, failuresOf)}`],
      ['failures by kind', JSON.stringify(problemsOf(found.samples))],
      ['not begun: too many were under way', totalOf(found.samples, ({ heldBack }) => heldBack)],
      ['/events answered; p50 / p99 / longest', reads(found.samples.events)],
      ['/related', reads(found.samples.related)],
      ['/top', reads(found.samples.top)],
      ['a copy stops in, serves again after', found.restarts.map(toText).join('; ')],
      [
        'events acknowledged, stored, stored twice',
        `${found.samples.events.events}, ${found.stored}, ${found.doubled}`,
      ],
      ['page views acknowledged, counted', `${found.samples.events.views}, ${found.counted}`],
    ],
    notes: [
      `Half of the requests are batches of ${EVENTS_A_BATCH} events, three tenths /related, two tenths /top, from ${READERS.length} addresses, for ${found.seconds.toFixed(0)} s. Everything shares the cores.`,
    ],
  };
};

export default bench;

const toText = ({ stopMs, startMs }: { stopMs: number; startMs: number }) =>
  `${(stopMs / 1000).toFixed(1)} s, ${(startMs / 1000).toFixed(1)} s`;
