// Two copies behind nginx with the shipped configuration, restarted one after the other as the handbook says, under traffic. The long run,
// with its figures: npm run bench restarts.
import { beforeEach, expect, test } from 'vitest';
import { failuresOf, problemsOf, restartUnderTraffic, totalOf } from '../../bench/support/rollingRestart.ts';
import { findProgram } from '../support/shippedProxies.ts';

const nginx = findProgram('nginx');
beforeEach(({ skip }) => skip(nginx === undefined, 'nginx is not on the PATH'));

test('no request fails, and every acknowledged event is counted once', async () => {
  const { samples, stored, doubled, counted } = await restartUnderTraffic(nginx!, { rate: 60, seconds: 4, pages: 20 });
  expect(problemsOf(samples)).toEqual({});
  expect(totalOf(samples, failuresOf)).toBe(0);
  for (const { answered } of Object.values(samples)) expect(answered).toBeGreaterThan(20);
  expect({ stored, doubled, counted }).toEqual({
    stored: samples.events.events,
    doubled: 0,
    counted: samples.events.views,
  });
});
