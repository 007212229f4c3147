// The lines of `afterword experiment show`, from a result that readers gave.
import { expect, test } from 'vitest';
import { resultLines, type ShownExperiment } from '../../server/cli/experimentLines.ts';

const RATES = { clicks: 0.0312, quality_clicks: 0, views: 1.5, bounces: 0.4 };

/** Of an experiment whose second variant differs so much in its click rate. */
const shown = (difference: number, low: number, high: number): ShownExperiment =>
  ({
    ...{ name: 'grid', state: 'running', stopped: null, ended_by: null },
    result: {
      says: ['Not decided.'],
      variants: [
        { name: 'control', readers: 1000, rates: RATES, comparisons: [] },
        {
          ...{ name: 'grid', readers: 1000, rates: RATES },
          comparisons: [{ metric: 'clicks', difference, low, high, decided: null }],
        },
      ],
    },
  }) as unknown as ShownExperiment;

test.each([
  [0.0123, -0.0045, 0.02, '+1.23%, -0.45% to +2.00%'],
  [-0.000_01, -0.004, 0.000_02, '0.00%, -0.40% to 0.00%'],
  [0, 0, 0, '0.00%, 0.00% to 0.00%'],
])('a difference of %f has a sign where it is printed as more than nothing', (difference, low, high, printed) => {
  const line = resultLines(shown(difference, low, high)).find((one) => one.startsWith('grid'));
  expect(line).toBe(`grid     1,000    clicks a list          3.12%         ${printed}`);
});
