// More events than the server can take, from as many senders as can knock: lists are answered, memory stays bounded, nothing that was
// acknowledged is lost. The long run, with its figures: npm run bench overload.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { overload } from '../../bench/overload.ts';
import { type LivePaper, openPaper } from '../../bench/support/livePaper.ts';
import { removeDataDirs } from '../support/dataDir.ts';

const PAGES = 40;
/** Two thousand senders' bodies, a full queue of rows, and the engine's own needs. */
const MOST_GROWTH_MB = 900;
/** However busy the machine: a list that waits behind all the events would take longer. */
const LONGEST_MS = 15_000;

let paper: LivePaper;
beforeEach(async () => {
  paper = await openPaper(PAGES);
});
afterEach(async () => {
  await paper.server.stop();
  await removeDataDirs();
});

test('four thousand senders who send again at once, for some seconds', async () => {
  const { events, top, related, counted, memory } = await overload(paper, { seconds: 5, measured: 2, offered: 'most' });
  expect(events.answered).toBeGreaterThan(0);
  expect(counted).toBeGreaterThanOrEqual(events.views);
  expect(counted).toBeLessThanOrEqual(events.views + events.failed * events.perRequest);
  for (const reads of [top, related]) {
    expect(reads.answered).toBeGreaterThan(10);
    expect({ refused: reads.refused, failed: reads.failed }).toEqual({ refused: 0, failed: 0 });
    expect(reads.longest).toBeLessThan(LONGEST_MS);
  }
  expect(memory.most - memory.before).toBeLessThan(MOST_GROWTH_MB);
  expect(paper.server.log().filter(({ level }) => level === 'fatal')).toEqual([]);
  expect((await fetch(`${paper.server.url}/readyz`)).status).toBe(200);
});
