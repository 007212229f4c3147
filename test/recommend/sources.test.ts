// Why a post stands in an answer: each source, from small worlds.
import { expect, test } from 'vitest';
import { recommend } from '../../server/recommend/recommend.ts';
import type { RecommendRequest } from '../../server/recommend/request.ts';
import { at, indexOf, learned, NOW, post, request } from './corpus.ts';

const FERRY = 'The night ferry crosses the strait between islands and harbours before dawn, with mail and passengers.';
const index = indexOf([
  post('ferry', { title: 'The night ferry', fullContent: FERRY }),
  post('islands', { title: 'Islands by night ferry', fullContent: FERRY }),
  post('bread', { title: 'Baking bread', fullContent: 'Flour, water, salt and a night of patience in a warm oven.' }),
]);
const sources = (changes: Partial<RecommendRequest>) =>
  Object.fromEntries(
    recommend(index, request({ respectEmpty: false, ...changes }), NOW).map(({ url, source }) => [
      url.slice(at('').length),
      source,
    ]),
  );
const dials = { mix: 0.5, freshness: 0, popularity: 0, diversity: 0 };
const readers = learned(...Array.from({ length: 12 }, () => 'ferry>bread'));

test('a post that is close in words stands there for its words', () => {
  expect(sources({ url: at('ferry') })).toMatchObject({ islands: 'words' });
});

test('a post that readers went on to stands there for the readers', () => {
  expect(sources({ url: at('ferry'), readers, dials })).toEqual({ bread: 'readers', islands: 'words' });
});

test('without a page and without a reader the newest posts are shown', () => {
  expect(new Set(Object.values(sources({})))).toEqual(new Set(['recent']));
});
