// The agreement suite's questions, asked over HTTP of a server that runs by the machine's clock: of sites that nothing comes to any more,
// so that whatever happens to the database, each answer is what a count by hand says at that moment.
//
//   const served = await fillWorlds({ kind: 'embedded', path }, { worlds: 4 });
//   const server = await startServer({ dataDir, flags: ['--thumbnails', 'no'] });       records name pictures as they were written
//   expect(await askAll(served, server)).toEqual([]);
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { EngineOptions } from '../../../server/storage/connect.ts';
import { type Answer, openNewsroom } from '../newsroom.ts';
import { lastDays, makeWorld, type World } from '../worlds.ts';
import { type Asked, QUESTIONS, type QuestionName, questionOf, settle } from './agree.ts';
import { assertAgreement, paramsOf } from './compare.ts';
import { sketch } from './sketch.ts';

export interface ServedWorlds {
  secret: string;
  /** Every kind of question, of each world. */
  questions: { world: World; asked: Asked }[];
}

/** A list of /top may be so old: periods that begin some time before now began that much earlier. */
const KEPT_MS = 60_000;
/** A list that is marked as stale is asked for again. */
const STALE_AGAIN_MS = 500;
const MOST_STALE = 60;
const AT_ONCE = 4;
/** Between two questions while something else is done. */
const PAUSE_MS = 300;

/**
 * Fills a database that no server uses; its worlds end now.
 * @param of.worlds How many.
 * @param of.days How many days of them happened. Default: half a year of them, which is as many partitions of each table as months.
 */
export async function fillWorlds(
  engine: EngineOptions,
  { worlds: count, days = 200 }: { worlds: number; days?: number },
): Promise<ServedWorlds> {
  const now = Date.now();
  const room = await openNewsroom({ now, engine });
  try {
    const worlds = Array.from({ length: count }, (_, seed) => lastDays(makeWorld(seed, now), days));
    await settle(room, worlds);
    const kinds = Object.keys(QUESTIONS) as QuestionName[];
    const questions = worlds.flatMap((world, seed) =>
      kinds.flatMap((what, at) =>
        fc
          .sample(sketch, { seed: 1 + seed * kinds.length + at, numRuns: 1 })
          .map((one) => ({ world, asked: { what, sketch: one } })),
      ),
    );
    return { secret: room.secret, questions };
  } finally {
    await room.close();
  }
}

/** @returns What is wrong with each answer that is. */
export async function askAll(served: ServedWorlds, server: { url: string }): Promise<string[]> {
  const left = [...served.questions.keys()];
  const problems: string[] = [];
  const askSome = async () => {
    for (let at = left.shift(); at !== undefined; at = left.shift())
      problems.push(...(await askOne(served, server, at)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askSome));
  return problems;
}

/** Asks one question after another, the first again after the last, until the work is done. */
export async function askWhile<T>(served: ServedWorlds, server: { url: string }, work: () => Promise<T>) {
  const problems: string[] = [];
  let isDone = false;
  let asked = 0;
  const asking = (async () => {
    for (; !isDone; asked++) {
      problems.push(...(await askOne(served, server, asked)));
      await sleep(PAUSE_MS);
    }
  })();
  let result: T;
  try {
    result = await work();
  } finally {
    isDone = true;
    await asking;
  }
  return { result, asked, problems };
}

/** @returns What is wrong with the answer; nothing, where it is what was counted by hand. */
async function askOne({ secret, questions }: ServedWorlds, { url }: { url: string }, at: number) {
  const { world, asked } = questions[at % questions.length]!;
  const began = Date.now();
  const question = questionOf({ ...world, now: began }, asked);
  const query = new URLSearchParams({ apikey: world.site, secret });
  for (const [name, value] of Object.entries(paramsOf(question)))
    for (const one of [value].flat()) query.append(name, one);
  const target = `/v2${question.path}?${query}`;
  const answer = await fetchFresh(`${url}${target}`).catch(String);
  if (typeof answer === 'string') return [`${asked.what}: ${target}\n${answer}`];
  // The server's moment is one between that of the request and that of the answer, or of a list that was kept.
  const moments = [began, Date.now(), began - KEPT_MS];
  const problems = moments.map((now) => problemOf(answer, questionOf({ ...world, now }, asked)));
  return problems.includes(undefined) ? [] : [`${asked.what}: ${target}\n${problems[0]}`];
}

async function fetchFresh(url: string): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const response = await fetch(url);
    const body = (await response.json()) as Answer;
    if (!response.headers.has('Warning') || tries === MOST_STALE) return body;
    await sleep(STALE_AGAIN_MS);
  }
}

function problemOf(answer: Answer, question: Parameters<typeof assertAgreement>[1]): string | undefined {
  try {
    assertAgreement(answer, question);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
