// Alarms on a year of traffic: few without a cause, and planted spikes and silences are found within five minutes.
import { expect, test } from 'vitest';
import { falseAlarms, judgedYear, type Planted, plant } from '../../bench/support/simulatedAlarms.ts';
import { simulateYear } from '../../bench/support/simulatedTraffic.ts';
import { DEFAULT_MINIMUM } from '../../server/sites/alarmSettings.ts';

test.each([
  { perDay: 20_000, seed: 1 },
  { perDay: 100_000, seed: 2 },
  { perDay: 1_000_000, seed: 3 },
])(
  'with $perDay views a day, at most one alarm a week is false, and events are found in time',
  { timeout: 120_000 },
  ({ perDay, seed }) => {
    const judged = judgedYear(simulateYear(perDay, seed));
    const { most } = falseAlarms(judged, DEFAULT_MINIMUM, 12);
    expect(most).toBeLessThanOrEqual(1);
    const share = (planted: Omit<Planted, 'below'>) => {
      const found = plant(judged, { ...planted, below: Number.POSITIVE_INFINITY }, DEFAULT_MINIMUM);
      return found.filter(({ minutes = 99 }) => minutes <= 5).length / planted.runs;
    };
    expect(share({ kind: 'spike', factor: 3, least: 600, runs: 300 })).toBeGreaterThanOrEqual(0.95);
    expect(share({ kind: 'silent', factor: 0, least: 300, runs: 300 })).toBeGreaterThanOrEqual(0.95);
  },
);
