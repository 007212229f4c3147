// Memory of the built server with its defaults while 1,000 hostile connections of many networks are open: bodies that come slowly,
// large bodies without a secret, answers that are not read, heads that never end.
// npm run bench -- connections --seconds 60
import { parseArgs } from 'node:util';
import { removeDataDirs } from '../test/support/dataDir.ts';
import { openCostSite, POSTS } from './support/costSite.ts';
import { attack, KINDS, type Kind } from './support/hostileConnections.ts';
import { peakOf, quietMemory, warmUp } from './support/serverMemory.ts';
import type { Bench } from './support/table.ts';

const OPTIONS = {
  seconds: { type: 'string', default: '45' },
  connections: { type: 'string', default: '1000' },
} as const;
/** Resident memory under attack may be so many times that of an idle server. */
const BOUND = 1.5;
const MB = 1e6;

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const [seconds, count] = [Number(values.seconds), Number(values.connections)];
  const opened = await openCostSite(1, []);
  const rows: (string | number)[][] = [];
  let worst = 0;
  try {
    await warmUp(opened);
    const idle = await quietMemory(opened.server);
    const kinds = Object.keys(KINDS) as Kind[];
    for (const mixed of [...kinds.map((kind) => [kind]), kinds]) {
      const attacking = attack(opened, mixed, count);
      const peak = await peakOf(opened.server, seconds);
      const held = attacking.held();
      await attacking.stop();
      const after = await quietMemory(opened.server);
      worst = Math.max(worst, peak / idle);
      const name = mixed.length > 1 ? 'all of these' : mixed[0]!;
      rows.push([name, held, mb(idle), mb(peak), (peak / idle).toFixed(2), mb(after)]);
      console.log(rows.at(-1)!.join(', '));
    }
  } finally {
    await opened.server.stop();
    await removeDataDirs();
  }
  if (worst > BOUND) process.exitCode = 1;
  return {
    title: `Memory under ${count} hostile connections`,
    columns: ['Connections', 'held at the end', 'idle, MB', 'peak, MB', 'ratio', 'afterwards, MB'],
    rows,
    notes: [
      `Resident memory of the server with its defaults, ${POSTS} posts; ${seconds} s each, one after another. Connections that the server closes are opened again.`,
      `At most ${BOUND} times the idle memory is allowed: ${worst > BOUND ? 'exceeded' : 'kept'}.`,
    ],
  };
};

export default bench;

const mb = (bytes: number): string => (bytes / MB).toFixed(0);
