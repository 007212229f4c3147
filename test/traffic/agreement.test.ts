// The engine's answers against a count by hand, over random worlds and random questions, through the front door.
// AFTERWORD_TEST_RUNS=20000 asks that many questions of 600 worlds.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  anyQuestion,
  expectAgreement,
  expectSeriesOfMaterialisedHours,
  QUESTIONS,
  settle,
} from '../support/agreement/agree.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { makeWorld, WORLD_NOW, type World } from '../support/worlds.ts';

const RUNS = Number(process.env.AFTERWORD_TEST_RUNS ?? 200);
const WORLDS = RUNS > 2000 ? 600 : 16;
const MINUTES = 60_000;

let room: Newsroom;
let worlds: World[];

beforeAll(async () => {
  room = await openNewsroom({ now: WORLD_NOW });
  worlds = Array.from({ length: WORLDS }, (_, seed) => makeWorld(seed));
  await settle(room, worlds);
}, 10 * MINUTES);

afterAll(() => room.close());

/** By number, so that a counterexample is a line: `makeWorld` makes it again. */
const seed = fc.nat({ max: WORLDS - 1 });
const limit = fc.constantFrom(1, 2, 3, 5, 2000, 2000);
const page = fc.constantFrom(1, 1, 1, 2, 3);

test(
  'every answer says what a count by hand says',
  async () => {
    const asked = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(seed, anyQuestion, limit, page, async (seed, question, limit, page) => {
        asked.set(question.what, (asked.get(question.what) ?? 0) + 1);
        const count = [...asked.values()].reduce((sum, times) => sum + times, 0);
        if (count % 1000 === 0) console.log(`${count} questions asked so far`);
        await expectAgreement(room, worlds[seed]!, { asked: question, limit, page: limit === 2000 ? 1 : page });
      }),
      { numRuns: RUNS },
    );
    // Fewer need not meet every kind of question.
    if (RUNS >= 200) expect([...asked.keys()].sort()).toEqual(Object.keys(QUESTIONS).sort());
  },
  60 * MINUTES,
);

test('a series of kept hours says what a count by hand says', () =>
  expectSeriesOfMaterialisedHours(room, worlds[0]!, Math.min(RUNS, 40)));
