// Plain queries in a process of their own, so that what they take of memory is theirs alone. The directory must be free: one process at
// a time has its engine.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { connect } from '../../server/storage/connect.ts';
import { median, timed } from './table.ts';

export interface PlainPlan {
  /** Directory of the engine's files. */
  path: string;
  queries: { sql: string; params: Record<string, unknown> }[];
  runs: number;
}

export interface PlainTimes {
  /** Milliseconds, a median each. */
  medians: number[];
  /** Megabytes the process had at most. */
  peak: number;
}

const PROGRAM = fileURLToPath(import.meta.url);
const MAX_SECONDS = 120;

export function timePlainQueries(plan: PlainPlan): Promise<PlainTimes> {
  const child = fork(PROGRAM, [JSON.stringify(plan)], { execArgv: process.execArgv });
  return new Promise((resolve, reject) => {
    child.once('message', (times) => resolve(times as PlainTimes));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The process of the plain queries ended with ${code}.`)));
  });
}

async function run({ path, queries, runs }: PlainPlan): Promise<PlainTimes> {
  const engine = await connect({ kind: 'embedded', path });
  try {
    const medians: number[] = [];
    for (const { sql, params } of queries) {
      medians.push(median(await timed(runs, () => engine.rows(sql, params, { maxSeconds: MAX_SECONDS }))));
    }
    return { medians, peak: process.resourceUsage().maxRSS / 1e3 };
  } finally {
    await engine.close();
  }
}

if (process.argv[1] === PROGRAM) {
  const times = await run(JSON.parse(process.argv[2]!) as PlainPlan);
  process.send!(times, () => process.disconnect());
}
