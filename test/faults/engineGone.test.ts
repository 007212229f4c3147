// A ClickHouse server that is killed with -9 and started again while readers report page views by every door: the server keeps
// taking them, every view it acknowledged is counted in the end, and none twice.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BEACON_FLAGS, countViews, createReaders } from '../support/beacons.ts';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { awayFromMidnight } from '../support/midnight.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

const OUTAGES = Number(process.env.AFTERWORD_TEST_KILLS ?? 3);
const NOTHING_WRONG = { lost: [], twice: [], strange: [] };

let engine: ClickHouse;
let server: TestServer;
let site: TestSite;

beforeEach(async () => {
  await awayFromMidnight();
  engine = await startClickHouse(makeDataDir());
  server = await startServer({ flags: ['--clickhouse-url', engine.url, '--new-urls', '1000000'] });
  site = await addSite(server, 'gone.example', ...BEACON_FLAGS);
});
afterEach(async () => {
  await server?.stop();
  await engine?.kill();
  await removeDataDirs();
});

test(
  `through ${OUTAGES} outages of the engine every view is taken, and counted once`,
  async () => {
    const readers = createReaders(site.apikey);
    for (let outage = 0; outage < OUTAGES; outage++) {
      const running = engine;
      const sending = Array.from({ length: 60 }, async (_, index) => {
        // The engine goes while some are on their way and others still to come.
        if (index === 20) await running.kill();
        return await readers.send(server);
      });
      expect(await Promise.all(sending)).not.toContain(false);
      engine = await running.startAgain();
      const all = async () => (await countViews(server, site)) === readers.acknowledged();
      await until('all views are counted', all);
    }
    expect(await readers.compare(server)).toEqual(NOTHING_WRONG);
    // Some that are there already, and one more behind whatever might still wait somewhere: nothing did.
    expect(await readers.sendAgain(server)).toBe(0);
    expect(await readers.send(server)).toBe(true);
    await until('the last view is counted', async () => (await countViews(server, site)) >= readers.acknowledged());
    expect(await countViews(server, site)).toBe(readers.acknowledged());
    expect(await readers.compare(server)).toEqual(NOTHING_WRONG);
  },
  100_000 + OUTAGES * 100_000,
);
