// A short campaign of random faults with a fixed seed. npm run bench -- faults runs fifty, or as many as there is time for.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeDataDirs } from '../support/dataDir.ts';
import { LONGEST_MS, runCampaign } from '../support/faultCampaign/runCampaign.ts';
import { awayFromMidnight } from '../support/midnight.ts';

const SEEDS = [3];

beforeAll(awayFromMidnight);
afterAll(removeDataDirs);

test.concurrent.each(SEEDS)(
  'after the faults of seed %i each acknowledged event is counted once',
  async (seed) => {
    const { findings, notes, acknowledged } = await runCampaign(seed);
    expect({ findings, notes: findings.length > 0 ? notes : [] }).toEqual({ findings: [], notes: [] });
    expect(acknowledged).toBeGreaterThan(0);
  },
  2 * LONGEST_MS,
);
