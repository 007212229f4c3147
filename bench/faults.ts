// Random campaigns of faults against the built server: kills, full disks, exhausted descriptors, damaged logs, clock steps, engine
// outages, imports, backups and restores under traffic. Is each acknowledged event counted once?
// npm run bench -- faults --campaigns 50 --seed 1; --seed 17 --campaigns 1 --verbose looks into one; --minutes 20
// ends it sooner, --only 'kill -9,full disk' throws these alone.
import { parseArgs } from 'node:util';
import { removeDataDirs } from '../test/support/dataDir.ts';
import { ALL, type Campaign, runCampaign } from '../test/support/faultCampaign/runCampaign.ts';
import type { Bench } from './support/table.ts';

const OPTIONS = {
  campaigns: { type: 'string', default: '50' },
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string', default: '30' },
  'at-once': { type: 'string', default: '2' },
  only: { type: 'string', default: ALL.join() },
  verbose: { type: 'boolean', default: false },
} as const;

const bench: Bench = async (args) => {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const first = Number(values.seed);
  const end = performance.now() + Number(values.minutes) * 60_000;
  const ran: Campaign[] = [];
  let begun = 0;
  async function runSome(): Promise<void> {
    while (begun < Number(values.campaigns) && performance.now() < end) {
      const campaign = await runCampaign(first + begun++, values.only.split(','));
      ran.push(campaign);
      print(campaign, values.verbose);
    }
  }
  await Promise.all(Array.from({ length: Number(values['at-once']) }, runSome));
  await removeDataDirs();
  ran.sort((one, other) => one.seed - other.seed);
  const failed = ran.filter(({ findings }) => findings.length > 0);
  if (failed.length > 0) process.exitCode = 1;
  const sum = (figure: (campaign: Campaign) => number) =>
    ran.reduce((total, each) => total + figure(each), 0).toLocaleString('en');
  return {
    title: `${ran.length} campaigns of faults`,
    columns: [
      'seed',
      'faults',
      'acknowledged',
      'counted',
      'reported as damaged',
      'batches resent',
      'seconds',
      'verdict',
    ],
    rows: ran.map(toRow),
    notes: [
      `${ran.length - failed.length} of ${ran.length} passed: ${sum((each) => each.acknowledged)} events acknowledged, ${sum((each) => each.counted)} counted, ${sum((each) => each.reported)} reported as damaged, ${sum((each) => each.resent)} batches resent.`,
      ...failed.map(({ seed, findings }) => `- seed ${seed}: ${findings.join('; ')}`),
    ],
  };
};

export default bench;

function print({ seed, steps, findings, notes, seconds }: Campaign, verbose: boolean): void {
  console.log(`${seed} (${seconds.toFixed(0)} s) ${steps.join(', ')}: ${findings.join('; ') || 'passed'}`);
  if (verbose || findings.length > 0) for (const note of notes) console.log(`    ${note}`);
}

const toRow = ({ seed, steps, acknowledged, counted, reported, resent, seconds, findings }: Campaign) => [
  seed,
  steps.join(', '),
  acknowledged,
  counted,
  reported,
  resent,
  seconds.toFixed(0),
  findings.length === 0 ? 'passed' : 'FAILED',
];
