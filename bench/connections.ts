// Memory of the built server with its defaults while 1,000 hostile connections of many networks are open: bodies that come slowly,
// large bodies without a secret, answers that are not read, heads that never end. Each kind has a server of its own.
// npm run bench -- connections --seconds 20 --kinds 'not read,heads,mixed'
import { parseArgs } from 'node:util';
import { mainThreadTime } from '../test/support/cpuTime.ts';
import { removeDataDirs } from '../test/support/dataDir.ts';
import type { TestServer } from '../test/support/server.ts';
import { openCostSite, POSTS } from './support/costSite.ts';
import { attack, KINDS, type Kind } from './support/hostileConnections.ts';
import { peakOf, quietMemory, warmUp } from './support/serverMemory.ts';
import type { Bench } from './support/table.ts';

const OPTIONS = {
  seconds: { type: 'string', default: '10' },
  connections: { type: 'string', default: '1000' },
  kinds: { type: 'string', default: '' },
} as const;
/** Resident memory under attack may be so many times that of an idle server. */
const BOUND = 1.5;
/** Of kinds that keep the server idle, in seconds on the clock for one of processor time. */
const LONGEST = 6;
const MB = 1e6;
const MIXED = 'all of these, mixed';

interface Measured {
  name: string;
  held: number;
  idle: number;
  peak: number;
  after: number;
}

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const [seconds, count] = [Number(values.seconds), Number(values.connections)];
  const measured: Measured[] = [];
  for (const name of namesWith(values.kinds.split(','))) {
    measured.push(await measure(name, count, seconds));
    console.log(rowOf(measured.at(-1)!).join(', '));
  }
  const kept = measured.every(({ idle, peak }) => peak <= BOUND * idle);
  if (!kept) process.exitCode = 1;
  return {
    title: `Memory under ${count} hostile connections`,
    columns: ['Connections', 'held at the end', 'idle, MB', 'peak, MB', 'ratio', 'afterwards, MB'],
    rows: measured.map(rowOf),
    notes: [
      `Resident memory of a server with its defaults, ${POSTS} posts that has answered some hundred questions of each route; each kind on a server started for it, until its main thread has worked for ${seconds} s or ${LONGEST * seconds} s have passed. Connections that the server closes are opened again.`,
      `At most ${BOUND} times the idle memory is allowed: ${kept ? 'kept' : 'exceeded'}.`,
    ],
  };
};

export default bench;

/** When the main thread has worked for so many seconds, or several times as many have passed: a busy machine attacks no less. */
function endOf({ pid }: TestServer, seconds: number): () => boolean {
  const worked = mainThreadTime(pid) + seconds * 1000;
  const passed = performance.now() + LONGEST * seconds * 1000;
  return () => mainThreadTime(pid) >= worked || performance.now() >= passed;
}

/** Kinds whose names contain one of the words. */
function namesWith(words: readonly string[]): string[] {
  return [...Object.keys(KINDS), MIXED].filter((name) => words.some((word) => name.includes(word)));
}

async function measure(name: string, count: number, seconds: number): Promise<Measured> {
  const opened = await openCostSite(1, []);
  try {
    await warmUp(opened);
    const idle = await quietMemory(opened.server);
    const all = Object.keys(KINDS) as Kind[];
    const attacking = attack(opened, name === MIXED ? all : all.filter((kind) => kind === name), count);
    const peak = await peakOf(opened.server, endOf(opened.server, seconds));
    const held = attacking.held();
    await attacking.stop();
    return { name, held, idle, peak, after: await quietMemory(opened.server) };
  } finally {
    await opened.server.stop();
    await removeDataDirs();
  }
}

const rowOf = ({ name, held, idle, peak, after }: Measured): (string | number)[] => [
  name,
  held,
  mb(idle),
  mb(peak),
  (peak / idle).toFixed(2),
  mb(after),
];

const mb = (bytes: number): string => (bytes / MB).toFixed(0);
