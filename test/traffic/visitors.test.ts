// Distinct visitors are counted by sketches: within two percent where they are many, exact where they are few.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rank } from '../../server/rankings.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { migrations } from '../../server/storage/migrations/index.ts';
import { migrate } from '../../server/storage/migrations/migrate.ts';
import { createTrafficStore } from '../../server/storage/traffic.ts';
import type { Scope } from '../../server/traffic/scope.ts';
import { scratch, silent } from '../storage/scratch.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const DAY = 86_400_000;
const SITE = parseSiteId('crowd.example')!;
const place = scratch();
let engine: Engine;

/** Views of one post, four a visitor, over four days, by visitors numbered from `from`. */
const CROWD = `
INSERT INTO events (site, day, time, action, url, visitor, channel, device)
SELECT {site:String}, toDate(toDateTime(intDiv(at, 1000), 'UTC')), toUInt64({now:Int64} - number % 4 * 86400000) AS at, 'pageview',
  {url:String}, sipHash64(intDiv(number, 4), {url:String}), 'website', 'desktop'
FROM numbers({visitors:UInt32} * 4)`;

const posts = new Map([
  ['https://crowd.example/few', 7],
  ['https://crowd.example/some', 3_000],
  ['https://crowd.example/many', 120_000],
]);

beforeAll(async () => {
  engine = await connect(place.engine);
  await migrate(engine, migrations, { log: silent, now: () => NOW });
  for (const [url, visitors] of posts) {
    await engine.command(CROWD, { site: SITE, now: NOW, url, visitors });
    await engine.insert('posts', [{ site: SITE, url, page_type: 'post', updated_at: NOW, deleted: 0 }]);
  }
});

afterAll(async () => {
  await engine.close();
  place.remove();
});

test.each([1, 3, 30])('over %i days', async (days) => {
  const scope: Scope = { site: SITE, zone: 'UTC', period: { start: NOW - days * DAY, end: NOW }, excluded: new Set() };
  const question = { key: 'post', scope, sort: 'visitors', limit: 10, offset: 0 } as const;
  const { records } = await rank(createTrafficStore(engine), question);
  expect(records.map(({ name }) => name)).toEqual([...posts.keys()].reverse());
  for (const { name, metrics } of records) {
    const exact = posts.get(name)!;
    const error = Math.abs(metrics.visitors! - exact) / exact;
    expect(error).toBeLessThanOrEqual(exact < 1000 ? 0 : 0.02);
  }
});
