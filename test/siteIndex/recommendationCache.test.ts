// Kept lists: whatever happens to a site between two questions, the answer is the one that would be found anew.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recommend } from '../../server/recommend/recommend.ts';
import type { RecommendRequest } from '../../server/recommend/request.ts';
import { Workspace } from '../../server/recommend/workspace.ts';
import { WorkspacePool } from '../../server/recommend/workspacePool.ts';
import { RecommendationCache } from '../../server/siteIndex/recommendationCache.ts';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';
import { PostIndex } from '../../server/textindex/postIndex.ts';

const RUNS = Number(process.env.AFTERWORD_TEST_RUNS ?? 60);
const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const at = (name: number) => `https://news.example/${name}`;
const WORDS = ['harbour', 'ferry', 'lighthouse', 'baker', 'sourdough', 'oven', 'orchard', 'cider'];

const post = (name: number, words: readonly number[], more: Partial<IndexedPost> = {}): IndexedPost => ({
  url: at(name),
  title: words.map((word) => WORDS[word]).join(' '),
  fullContent: words.map((word) => `${WORDS[word]} ${WORDS[(word + 1) % WORDS.length]}`).join(' '),
  section: '',
  authors: [],
  tags: [],
  pubDate: NOW - HOUR,
  listed: true,
  ...more,
});

const asking = (url: string, more: Partial<RecommendRequest> = {}): RecommendRequest => ({
  url,
  filters: {},
  excluded: new Set(),
  sort: 'score',
  limit: 5,
  page: 1,
  respectEmpty: false,
  ...more,
});

const name = fc.integer({ min: 0, max: 9 });
const words = fc.array(fc.integer({ min: 0, max: WORDS.length - 1 }), { minLength: 2, maxLength: 6 });
const date = fc.option(fc.integer({ min: -3, max: 6 }).map((hours) => NOW + hours * HOUR));
const happening = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), name, words, date, tagged: fc.boolean(), listed: fc.boolean() }),
  fc.record({ kind: fc.constant('remove' as const), name }),
  fc.record({ kind: fc.constant('tidy' as const) }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('hide' as const), name }),
  fc.record({ kind: fc.constant('show' as const), name }),
  fc.record({ kind: fc.constant('vector' as const), name, vector: fc.constantFrom([1, 0, 5], [0, 90, 1], [7, 7, -7]) }),
);
const hours = fc.option(fc.integer({ min: -2, max: 5 }), { nil: undefined });
const question = fc.record({
  name: fc.integer({ min: 0, max: 3 }),
  since: hours,
  until: hours,
  sort: fc.constantFrom('score' as const, 'pub_date' as const),
  tagged: fc.boolean(),
});

test('a kept list is the one that would be found anew', () => {
  const step = fc.oneof(happening, fc.record({ kind: fc.constant('ask' as const), question }));
  fc.assert(
    fc.property(
      fc.array(question, { minLength: 1, maxLength: 3 }),
      fc.array(step, { maxLength: 30 }),
      (favourites, steps) => {
        const index = new PostIndex();
        const answers = new RecommendationCache(new WorkspacePool(() => new Workspace()));
        const hidden = new Set<string>();
        let now = NOW;
        const ask = ({ name, sort, tagged, since, until }: (typeof favourites)[number]) => {
          const filters = {
            ...(tagged && { tags: ['sea'] }),
            ...(since !== undefined && { pubDateStart: now - since * HOUR }),
            ...(until !== undefined && { pubDateEnd: now - until * HOUR }),
          };
          const request = asking(at(name), { sort, filters, excluded: hidden });
          expect(answers.recommend(index, request, now)).toEqual(recommend(index, request, now));
        };
        for (let one = 0; one < 8; one++) index.put(post(one, [one % 3, 3 + (one % 2), one]));
        index.put(post(8, [0, 1, 2, 3, 4], { pubDate: NOW + HOUR }));
        for (let one = 0; one < 10; one++) {
          index.catalogue.embeddings.put({ url: at(one), vector: Int8Array.from([one, 9 - one, 1]), updatedAt: 0 });
        }
        for (const [place, step] of steps.entries()) {
          if (step.kind === 'write') {
            const tags = step.tagged ? ['sea'] : [];
            index.put(post(step.name, step.words, { tags, pubDate: step.date, listed: step.listed }));
          } else if (step.kind === 'remove') index.remove(at(step.name));
          else if (step.kind === 'tidy') for (const _ of index.tidy());
          else if (step.kind === 'wait') now += step.hours * HOUR;
          else if (step.kind === 'hide') hidden.add(at(step.name));
          else if (step.kind === 'show') hidden.delete(at(step.name));
          else if (step.kind === 'vector') {
            const vector = Int8Array.from(step.vector);
            index.catalogue.embeddings.put({ url: at(step.name), vector, updatedAt: place + 1 });
          } else ask(step.question);
          for (const favourite of favourites) ask(favourite);
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test('a list is found once, until a post comes or goes or another one is out', () => {
  const index = new PostIndex();
  const answers = new RecommendationCache(new WorkspacePool(() => new Workspace()));
  for (let one = 0; one < 4; one++) index.put(post(one, [0, 1, one + 2]));
  index.put(post(9, [0, 1, 2], { pubDate: NOW + HOUR }));
  const found = () => answers.recommend(index, asking(at(0)), NOW);
  const first = found();
  expect(first.map(({ url }) => url)).not.toContain(at(9));
  expect(found()).toBe(first);
  index.put(post(1, [0, 1, 3]));
  expect(found()).toBe(first);
  const later = answers.recommend(index, asking(at(0)), NOW + HOUR);
  expect(later.map(({ url }) => url)).toContain(at(9));
  index.remove(at(9));
  expect(answers.recommend(index, asking(at(0)), NOW + HOUR).map(({ url }) => url)).not.toContain(at(9));
});

test('a list is that of its rules and dials, and of its minute where readers count', () => {
  const index = new PostIndex();
  const answers = new RecommendationCache(new WorkspacePool(() => new Workspace()));
  for (let one = 0; one < 6; one++) index.put(post(one, [0, 1, one + 1]));
  const readers = { next: () => [] };
  const ask = (more: Partial<RecommendRequest>, now = NOW) => answers.recommend(index, asking(at(0), more), now);
  const kinds: Partial<RecommendRequest>[] = [
    {},
    { hidden: [at(1)] },
    { pins: [{ url: at(5), position: 1 }] },
    { dials: { diversity: 1 } },
    { dials: { mix: 1 }, readers },
  ];
  const lists = kinds.map((kind) => ask(kind));
  expect(new Set(lists).size).toBe(kinds.length);
  for (const [place, kind] of kinds.entries()) expect(ask(kind)).toBe(lists[place]);
  expect(ask({ dials: { mix: 1 }, readers }, NOW + 60_000)).not.toBe(lists[4]);
});

test('a list made for one visitor is not kept', () => {
  const index = new PostIndex();
  const answers = new RecommendationCache(new WorkspacePool(() => new Workspace()));
  for (let one = 0; one < 4; one++) index.put(post(one, [0, 1, one + 2]));
  const visited = asking(at(0), { visits: [{ url: at(1), time: NOW }] });
  expect(answers.recommend(index, visited, NOW)).not.toBe(answers.recommend(index, visited, NOW));
});

test('lists of long addresses without a post are counted with what they take, and bounded by it', () => {
  const index = new PostIndex();
  for (let name = 0; name < 10; name++) index.put(post(name, [name % 8, (name + 1) % 8]));
  const answers = new RecommendationCache(new WorkspacePool(() => new Workspace()));
  const padding = 'x'.repeat(2_000);
  let asked = 0;
  const ask = () => answers.recommend(index, asking(`${at(asked++)}/${padding}`), NOW);
  while (asked < 500) ask();
  expect(answers.bytes).toBeGreaterThan(500 * padding.length);
  while (asked < 2_000) ask();
  expect(answers.bytes).toBeLessThan(8e6);
});
