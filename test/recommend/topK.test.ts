// Pruned top-k against scoring everything, and one query inside another.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candidates, keepAllowed } from '../../server/recommend/candidates.ts';
import { createQuery } from '../../server/recommend/createQuery.ts';
import { createFilter } from '../../server/recommend/filters.ts';
import { prunedTopK } from '../../server/recommend/prunedTopK.ts';
import type { Query } from '../../server/recommend/query.ts';
import { withReaders } from '../../server/recommend/readers.ts';
import { recommend } from '../../server/recommend/recommend.ts';
import type { ScoredCandidates } from '../../server/recommend/scorer.ts';
import { scoreOf, withScores } from '../../server/recommend/scoring.ts';
import { Workspace } from '../../server/recommend/workspace.ts';
import { WorkspacePool } from '../../server/recommend/workspacePool.ts';
import { quantised } from '../../server/textindex/embeddings.ts';
import { topK } from '../../server/textindex/topK.ts';
import { at, DAY, indexOf, learned, NOW, post, request } from './corpus.ts';

const WORDS = 'ferry harbour ticket island bread flour baker oven chess rook pawn endgame'.split(' ');
const LAST = 24;

const text = (most: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: most }).map((words) => words.join(' '));

const site = fc
  .array(
    fc.record({
      title: text(4),
      fullContent: text(30),
      authors: fc.subarray(['Ada', 'Grace']),
      tags: fc.subarray(['travel', 'food', 'night']),
      pubDate: fc.option(fc.integer({ min: 0, max: 9000 }).map((days) => NOW - days * DAY)),
      vector: fc.option(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }))),
    }),
    { minLength: LAST + 1, maxLength: LAST + 1 },
  )
  .map((posts) => {
    const index = indexOf(posts.map((one, number) => post(String(number), one)));
    for (const [number, { vector }] of posts.entries()) {
      if (vector?.some((one) => one !== 0))
        index.catalogue.embeddings.put({ url: at(String(number)), vector: quantised(vector), updatedAt: NOW });
    }
    return index;
  });

const question = fc.record({
  url: fc.option(
    fc.nat(LAST).map((number) => at(String(number))),
    { nil: undefined },
  ),
  visits: fc
    .uniqueArray(fc.nat(LAST), { maxLength: 5 })
    .map((read) => read.map((number, back) => ({ url: at(String(number)), time: NOW - back }))),
  sessions: fc.array(fc.uniqueArray(fc.nat(LAST), { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
  dials: fc.record({
    mix: fc.constantFrom(0, 0.4, 1),
    freshness: fc.constantFrom(0, 0.6),
    popularity: fc.constantFrom(0, 1),
  }),
  gains: fc.record({ tags: fc.double({ min: 0, max: 3, noNaN: true }), timePower: fc.constantFrom(0.1, 0.3, 2) }),
});
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

const toRequest = ({ url, visits, sessions, gains, dials }: Question) =>
  request({
    visits,
    dials,
    gains,
    readers: learned(...sessions.map((session) => session.join('>'))),
    ...(url !== undefined && { url }),
  });

function scored(query: Query): ScoredCandidates {
  const allowed = createFilter(query.index.catalogue, {}, { never: query.never, now: NOW });
  return withScores(query, keepAllowed(withReaders(query, candidates(query)), allowed));
}

test('pruned top-k is the order of the scores of all candidates, whatever factors, gains and readers say', () => {
  fc.assert(
    fc.property(site, question, (index, q) => {
      const query = createQuery(index, toRequest(q), NOW, new Workspace());
      const found = scored(query);
      const { numbers, scores, count, scorer } = found;
      const all = Array.from({ length: count }, (_, place) => ({
        number: numbers[place]!,
        score: scoreOf(scorer, numbers[place]!, scores[place]!),
      })).sort((a, b) => b.score - a.score || a.number - b.number);
      const ranking = [...prunedTopK(query.workspace, found, { tie: (a, b) => a < b })];
      expect(ranking.map(({ number, score }) => ({ number, score }))).toEqual(all);
    }),
    { numRuns: 100 },
  );
});

test('upper bounds hold for every candidate, but for rounding', () => {
  fc.assert(
    fc.property(site, question, (index, q) => {
      const { numbers, scores, count, scorer } = scored(createQuery(index, toRequest(q), NOW, new Workspace()));
      for (let place = 0; place < count; place++) {
        const [number, closeness] = [numbers[place]!, scores[place]!];
        const cheap = scorer.cheapScore(number, closeness);
        const score = scorer.fullScore(number, cheap);
        expect(scorer.upperBound(number, cheap) * (1 + 1e-6)).toBeGreaterThanOrEqual(score);
        expect(scorer.closerBound(number, cheap) * (1 + 1e-6)).toBeGreaterThanOrEqual(score);
        expect(scorer.cheapUpperBound(number, closeness) * (1 + 1e-6)).toBeGreaterThanOrEqual(score);
        if (closeness > 0) expect(scorer.max * closeness * (1 + 1e-6)).toBeGreaterThanOrEqual(score);
      }
    }),
    { numRuns: 100 },
  );
});

test('a query that runs while another one computes changes nothing of its answer', () => {
  fc.assert(
    fc.property(site, site, question, question, (index, other, q, inner) => {
      const asked = toRequest(q);
      const alone = recommend(index, asked, NOW);
      const pool = new WorkspacePool(() => new Workspace());
      const readers = {
        next: (...read: Parameters<NonNullable<typeof asked.readers>['next']>) => {
          pool.use((workspace) => recommend(other, toRequest(inner), NOW, workspace));
          return asked.readers!.next(...read);
        },
      };
      for (let time = 0; time < 2; time++) {
        expect(pool.use((workspace) => recommend(index, { ...asked, readers }, NOW, workspace))).toEqual(alone);
      }
    }),
    { numRuns: 20 },
  );
});

test('of equal scores those that come first by the tie are the best, wherever they stand', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 40 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 0, max: 10 }), fc.boolean(), (all, most, isDescending) => {
      const numbers = Uint32Array.from(all.keys());
      const tie = (one: number, other: number) => (isDescending ? one > other : one < other);
      const sorted = [...all.keys()].sort((one, other) => all[other]! - all[one]! || (tie(one, other) ? -1 : 1));
      const found = { numbers, scores: Float32Array.from(all), count: all.length };
      expect(topK(found, most, tie)).toEqual(sorted.slice(0, most));
    }),
  );
});
