// Every question of the interface that counts something, asked of a server and counted by hand.
//
//   await settle(room, worlds);                                                the worlds happen
//   fc.assert(fc.asyncProperty(anyQuestion, (ask) => expectAgreement(room, world, ask)))
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { materialiseHours } from '../../../server/rankings/materialiseHours.ts';
import type { Answer, Newsroom } from '../newsroom.ts';
import type { World } from '../worlds.ts';
import { assertAgreement, type Page, paramsOf } from './compare.ts';
import { conversions, shares, sharesOfPost, top, videos } from './otherQuestions.ts';
import { referred, referrers, referrersOfPost } from './referrerQuestions.ts';
import { series } from './seriesQuestion.ts';
import { type Sketch, sketch } from './sketch.ts';
import { type Ask, facets, metaDetail, names, postDetail, posts, type Question } from './trafficQuestions.ts';

/** By the name a counterexample shows. */
export const QUESTIONS = {
  posts: posts(false),
  names: names(false),
  facets: facets(false),
  'realtime posts': posts(true),
  'realtime names': names(true),
  'realtime referrers': facets(true),
  videos,
  series,
  'post detail': postDetail,
  'meta detail': metaDetail,
  referrers,
  'referred posts': referred('posts'),
  'referred names': referred('names'),
  'referred detail': referred('detail'),
  'referrers of a post': referrersOfPost,
  shares: shares('posts'),
  'shares detail': shares('detail'),
  'shares of names': shares('names'),
  'shares of a post': sharesOfPost,
  conversions: conversions('kind'),
  'top conversions': conversions('url'),
  'top posts': top('posts'),
  'top videos': top('videos'),
} satisfies Record<string, Ask>;

export type QuestionName = keyof typeof QUESTIONS;

export interface Asked {
  what: QuestionName;
  sketch: Sketch;
}

const ofKinds = (kinds: readonly QuestionName[]): fc.Arbitrary<Asked> =>
  fc.record({
    what: fc.oneof(...kinds.map((kind) => ({ arbitrary: fc.constant(kind), weight: kind === 'posts' ? 4 : 1 }))),
    sketch,
  });

const KINDS = Object.keys(QUESTIONS) as QuestionName[];
const WHOLE: readonly QuestionName[] = ['series', 'post detail', 'shares of a post', 'top posts', 'top videos'];

export const anyQuestion = ofKinds(KINDS);
export const pagedQuestion = ofKinds(KINDS.filter((kind) => !WHOLE.includes(kind)));
const seriesQuestion = ofKinds(['series']);
export const postsQuestion = ofKinds(['posts', 'realtime posts', 'meta detail', 'referred posts', 'shares']);

export const questionOf = (world: World, { what, sketch }: Asked): Question => QUESTIONS[what](world, sketch);

const AT_ONCE = 4;

/** Sites, posts, aliases, hidden URLs and events of worlds, and kept hours of the first one. */
export async function settle(room: Newsroom, worlds: readonly World[]): Promise<void> {
  // A few worlds at a time: each spans half a year of partitions, and a cluster waits for no insert for ever.
  for (let first = 0; first < worlds.length; first += AT_ONCE)
    await room.happen(...worlds.slice(first, first + AT_ONCE).flatMap((world) => world.events));
  for (const { site, zone, now, posts, aliases, excluded } of worlds) {
    room.setNow(now);
    await room.deps.sites.add({ ...room.site, id: site, timezone: zone });
    await room.deps.store.posts.save(site, posts);
    for (const [alias, url] of aliases) await room.deps.store.posts.alias(site, url, [alias], now);
    for (const url of excluded) await room.deps.exclusions.ignore(site, url);
  }
  await materialiseHoursOf(room, worlds[0]);
}

/** Of one world, where there is one: its series are answered from them, those of the others from events. */
async function materialiseHoursOf({ deps }: Newsroom, world: World | undefined): Promise<void> {
  const { store, exclusions } = deps;
  const find = (id: string) => (id === world?.site ? deps.sites.find(id) : undefined);
  if (world) await materialiseHours({ store, exclusions, sites: { find }, now: () => world.now, views: 1 });
}

/** Series of the world with kept hours, which must be there. */
export async function expectSeriesOfMaterialisedHours(room: Newsroom, world: World, numRuns: number): Promise<void> {
  assert.ok((await room.deps.store.materialisedHours.kept(world.site)).length > 0, 'No hours are kept.');
  await fc.assert(
    fc.asyncProperty(seriesQuestion, (asked) => expectAgreement(room, world, { asked })),
    { numRuns },
  );
}

/** Asks at the world's own time. */
export async function askWorld(
  room: Newsroom,
  world: World,
  path: string,
  params: Question['params'],
): Promise<Answer> {
  room.setNow(world.now);
  return await room.ask(path, { ...params, apikey: world.site });
}

/** One page of an answer: the whole body must be what was counted by hand. */
export async function expectAgreement(
  room: Newsroom,
  world: World,
  { asked, ...page }: { asked: Asked } & Page,
): Promise<void> {
  const question = questionOf(world, asked);
  assertAgreement(await askWorld(room, world, question.path, paramsOf(question, page)), question, page);
}
