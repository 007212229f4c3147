// Power cuts: the server is killed with -9 while readers report page views by every door, and started again on the same folder.
// Every view it acknowledged is there, and none is there twice, also when senders send again what was not answered.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BEACON_FLAGS, countViews, createReaders } from '../support/beacons.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { awayFromMidnight } from '../support/midnight.ts';
import { addSite, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';

/** How often the power goes. AFTERWORD_TEST_KILLS=25 for the long run. */
const KILLS = Number(process.env.AFTERWORD_TEST_KILLS ?? 3);
const SENDERS = 8;
/** Views acknowledged before each cut, so that something is always at stake; a few more or less each time. */
const BEFORE_KILL = 60;
/** Every view is of a page of its own. */
const FLAGS = ['--new-urls', '1000000'];
const NOTHING_WRONG = { lost: [], twice: [], strange: [] };

let server: TestServer;
let site: TestSite;

beforeEach(async () => {
  await awayFromMidnight();
  server = await startServer({ flags: FLAGS });
  site = await addSite(server, 'kill.example', ...BEACON_FLAGS);
});

afterEach(async () => {
  await server.stop();
  await removeDataDirs();
});

test(
  `through ${KILLS} power cuts no acknowledged view is lost, and none is counted twice`,
  async () => {
    const readers = createReaders(site.apikey);
    for (let kill = 0; kill < KILLS; kill++) {
      const enough = readers.acknowledged() + BEFORE_KILL + ((kill * 37) % 50);
      let powered = true;
      const senders = Array.from({ length: SENDERS }, async () => {
        while (powered && (await readers.send(server)));
      });
      try {
        await until('enough is acknowledged', () => readers.acknowledged() >= enough);
        await server.kill();
      } finally {
        powered = false;
        await Promise.all(senders);
      }
      server = await startServer({ dataDir: server.dataDir, flags: FLAGS });
      expect({ kill, ...(await readers.compare(server)) }).toEqual({ kill, ...NOTHING_WRONG });
    }

    // Senders never learnt what became of these, and the last acknowledged ones are sent again for good measure.
    expect(readers.unanswered()).toBeGreaterThan(0);
    expect(await readers.sendAgain(server)).toBe(0);
    expect(await readers.compare(server)).toEqual(NOTHING_WRONG);
    expect(await countViews(server, site)).toBe(readers.acknowledged());
  },
  100_000 + KILLS * 100_000,
);
