// Pauses between inserts: short ones for few events, long ones under busy traffic, none for large inserts.
import { expect, test } from 'vitest';
import { pauseAfter } from '../../server/ingest/queue/insertPause.ts';

const quiet = { events: 10, tookMs: 20, nextEvents: 10, waitingEvents: 10, isBusy: false, intervalMs: 600 };

test.each([
  ['a small insert: until 600 ms after its start', quiet, { ms: 580, endsEarly: true }],
  [
    'a small insert that took two thirds of that: as long again',
    { ...quiet, tookMs: 400 },
    { ms: 400, endsEarly: true },
  ],
  ['a small insert that took longer: 600 ms', { ...quiet, tookMs: 4_000 }, { ms: 600, endsEarly: true }],
  ['a large insert: none', { ...quiet, events: 10_000 }, { ms: 0, endsEarly: true }],
  ['a small insert before a large one: none', { ...quiet, nextEvents: 10_000 }, { ms: 0, endsEarly: true }],
  ['busy traffic: a second', { ...quiet, isBusy: true }, { ms: 1_000, endsEarly: false }],
  [
    'busy traffic, large inserts: a second too',
    { ...quiet, isBusy: true, events: 50_000 },
    { ms: 1_000, endsEarly: false },
  ],
  [
    'busy traffic, a slow engine: as long as the insert',
    { ...quiet, isBusy: true, tookMs: 3_000 },
    { ms: 3_000, endsEarly: false },
  ],
  [
    'busy traffic, and more than a million events wait: none',
    { ...quiet, isBusy: true, events: 100_000, waitingEvents: 1_000_001 },
    { ms: 0, endsEarly: true },
  ],
])('%s', (_, done, pause) => {
  expect(pauseAfter(done)).toEqual(pause);
});
