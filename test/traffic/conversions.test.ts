// Conversions over random worlds: no conversion disappears from a list of pages, whichever page is credited.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Asked, askWorld, expectAgreement, settle } from '../support/agreement/agree.ts';
import { ATTRIBUTIONS } from '../support/agreement/naiveConversions.ts';
import { sketch } from '../support/agreement/sketch.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { makeWorld, WORLD_NOW, type World } from '../support/worlds.ts';

const WORLDS = 6;
const DAYS = 60;

let room: Newsroom;
let worlds: World[];

beforeAll(async () => {
  room = await openNewsroom({ now: WORLD_NOW });
  worlds = Array.from({ length: WORLDS }, (_, seed) => ({ ...makeWorld(seed + 1000), excluded: new Set<string>() }));
  await settle(room, worlds);
}, 60_000);
afterAll(() => room.close());

const seed = fc.nat({ max: WORLDS - 1 });
const path = fc.constantFrom('/conversions/url', '/conversions/url/top');
const pages = fc.constantFrom('post and index', 'both');

test('sums over pages are the number of conversions, for each attribution', async () => {
  const tried = new Set<string>();
  await fc.assert(
    fc.asyncProperty(seed, path, fc.constantFrom(...ATTRIBUTIONS), pages, async (at, path, attribution, pages) => {
      const world = worlds[at]!;
      const since = world.now - DAYS * 86_400_000;
      const total = world.events.filter(({ action, time }) => action === 'conversion' && time >= since).length;
      const params = { attribution_type: attribution, period_start: `${DAYS}d`, limit: '2000' };
      const types = pages === 'both' ? [{}] : [{ page_type: 'post' }, { page_type: 'index' }];
      const lists = await Promise.all(types.map((type) => askWorld(room, world, path, { ...params, ...type })));
      const rows = lists.flatMap(({ data }) => data);
      const counts = rows.map(({ metrics, conversion_metrics }) => ({
        count: metrics.conversions ?? 0,
        parts: conversion_metrics.reduce((sum, part) => sum + part.conversions, 0),
      }));
      // Shares of one conversion are rounded to thousandths, row by row.
      const near = (sum: number, rows: number) => expect(Math.abs(sum - total)).toBeLessThan(0.0006 * (rows + 1));
      near(
        counts.reduce((sum, { count }) => sum + count, 0),
        rows.length,
      );
      near(
        counts.reduce((sum, { parts }) => sum + parts, 0),
        rows.flatMap((row) => row.conversion_metrics).length,
      );
      if (total > 0) tried.add(attribution);
    }),
    { numRuns: 20 },
  );
  expect([...tried].sort()).toEqual([...ATTRIBUTIONS].sort());
}, 120_000);

test('each row says what a count by hand says, however the list is narrowed', async () => {
  const what = fc.constantFrom<Asked['what'][]>('conversions', 'top conversions');
  await fc.assert(
    fc.asyncProperty(seed, what, sketch, async (at, what, sketch) => {
      await expectAgreement(room, worlds[at]!, { asked: { what, sketch } });
    }),
    { numRuns: 50 },
  );
}, 120_000);
