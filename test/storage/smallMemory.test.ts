// A question on a small machine: the engine inside takes a share of the memory of the process, not more than it has.
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { StoreUnavailableError } from '../../server/errors.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';

let engine: Engine;
beforeAll(async () => {
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(500_000_000);
  engine = await connect({ kind: 'embedded', path: join(makeDataDir(), 'engine') });
});
afterAll(async () => {
  await engine.close();
  await removeDataDirs();
});

test('more groups than it has memory for are counted on the disk', async () => {
  const counted = await engine.rows('SELECT count() AS n FROM (SELECT number FROM numbers(6000000) GROUP BY number)');
  expect(counted).toEqual([{ n: 6_000_000 }]);
});

test('what does not fit is refused, and the next question is answered', async () => {
  const tooLarge = engine.rows('SELECT length(groupArray(number)) AS n FROM numbers(40000000)');
  await expect(tooLarge).rejects.toThrow(StoreUnavailableError);
  expect(await engine.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});
