// Distinct visitors beyond the linear counting of the engine, where its own estimate is too high by up to three percent.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countSeriesAndWhole } from '../../server/rankings/series.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { upgrade } from '../../server/storage/schema/upgrade.ts';
import { createTrafficStore } from '../../server/storage/traffic.ts';
import { distinctCount } from '../../server/traffic/distinctCount.ts';
import { cutIntervals, type Interval } from '../../server/traffic/intervals.ts';
import { scratch, silent } from '../storage/scratch.ts';

const SITE = parseSiteId('crowd.example')!;
const zone = 'UTC';
const DAY = { start: Date.parse('2040-03-19T00:00:00Z'), end: Date.parse('2040-03-20T00:00:00Z') - 1 };
const HOUR = 3_600_000;
const place = scratch();
let engine: Engine;

/** The first of so many visitors, each with one view of an hour. */
const CROWD = `
INSERT INTO events (site, day, time, action, url, visitor, referrer_type, channel, device)
SELECT {site:String}, toDate({day:String}), {time:UInt64}, 'pageview', 'https://crowd.example/a', bitShiftRight(sipHash64(number), 16),
  'direct', 'website', 'desktop'
FROM numbers({visitors:UInt32})`;

beforeAll(async () => {
  engine = await connect(place.engine);
  await upgrade(engine, { log: silent, now: () => DAY.end });
  await engine.insert('posts', [
    { site: SITE, url: 'https://crowd.example/a', page_type: 'post', updated_at: DAY.start, deleted: 0 },
  ]);
});
afterAll(async () => {
  await engine.close();
  place.remove();
});

test.each([
  [14, 1],
  [14, 2.4],
  [14, 2.45],
  [14, 2.5],
  [14, 2.8],
  [14, 3.5],
  [14, 6],
  [12, 2.6],
])('of %i bits, the mean of many sketches of %d times as many values as registers is right', async (bits, times) => {
  const values = Math.round(times * 2 ** bits);
  const [row] = await engine.rows<{ mean: number }>(
    `SELECT avg(n) AS mean FROM (SELECT ${distinctCount(`uniqCombined(${bits})(sipHash64(number))`, bits)} AS n
     FROM numbers({values:UInt64} * 60) GROUP BY number % 60)`,
    { values },
  );
  expect(row!.mean / values).toBeGreaterThan(0.995);
  expect(row!.mean / values).toBeLessThan(1.005);
});

test('visitors of an hour, of a day and new ones are counted as well just beyond it', async () => {
  // 41,000 are 2.5 times the registers of an hour, 164,000 those of a day.
  for (const [hour, visitors] of [
    [9, 41_000],
    [10, 164_000],
  ] as const)
    await engine.command(CROWD, { site: SITE, day: '2040-03-19', time: DAY.start + hour * HOUR, visitors });
  const count = async (interval: Interval) => {
    const scope = { site: SITE, zone, period: DAY, excluded: new Set<string>() };
    const series = cutIntervals(DAY, { interval, zone });
    const metrics = ['visitors', 'visitors_new'] as const;
    return await countSeriesAndWhole(createTrafficStore(engine), { scope, interval, series, metrics, whole: true });
  };
  const near = (counted: number | undefined, exact: number) => {
    expect(counted! / exact).toBeGreaterThan(0.985);
    expect(counted! / exact).toBeLessThan(1.015);
  };
  const { intervals } = await count('hour');
  near(intervals[9]!.visitors, 41_000);
  near(intervals[9]!.visitors_new, 41_000);
  const { intervals: days, whole } = await count('day');
  for (const metrics of [days[0]!, whole]) {
    near(metrics.visitors, 164_000);
    near(metrics.visitors_new, 164_000);
  }
});
