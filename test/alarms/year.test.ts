// Alarms on a year of traffic: few without a cause, and planted spikes and silences are found within five minutes.
import { expect, test } from 'vitest';
import { falseAlarms, judgedYear, plant } from '../../bench/support/simulatedAlarms.ts';
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
    const { raised, weeks } = falseAlarms(judged, DEFAULT_MINIMUM, 12);
    expect(raised.length).toBeLessThanOrEqual(weeks);
    const asked = { least: 600, below: Number.POSITIVE_INFINITY, runs: 200 };
    for (const what of [{ kind: 'spike', factor: 3 } as const, { kind: 'silent', factor: 0 } as const]) {
      const minutes = plant(judged, { ...what, ...asked }, DEFAULT_MINIMUM);
      const inTime = minutes.filter((one) => one !== undefined && one <= 5).length;
      expect(inTime / asked.runs, what.kind).toBeGreaterThanOrEqual(0.95);
    }
  },
);
