// Why a post stands where it stands: the parts make the score, and the terms are words of both posts.
import { expect, test } from 'vitest';
import { readSite } from '../../bench/related/sites.ts';
import { indexOf } from '../../server/evaluation/evaluate.ts';
import { explain } from '../../server/recommend/explain.ts';
import { recommend } from '../../server/recommend/recommend.ts';
import type { RecommendRequest } from '../../server/recommend/request.ts';
import { at, learned, NOW, post, request, indexOf as smallIndex } from './corpus.ts';

const articles = readSite('18f');
const index = indexOf(articles.posts);
const byUrl = new Map(articles.posts.map((one) => [one.url, one]));
const LATER = Date.UTC(2030, 0);

function explained(asked: RecommendRequest) {
  const found = recommend(index, asked, LATER);
  const posts = found.map((one) => ({ ...byUrl.get(one.url)!, ...one }));
  return { found, reasons: explain(index, asked, { posts, now: LATER }) };
}

const product = (parts: Partial<Record<string, number>>) =>
  Object.values(parts).reduce<number>((all, part) => all * part!, 1);

test('below a post the parts multiply to the score, of the first post and of the hundredth', () => {
  const long = (url: string) => recommend(index, request({ url, limit: 200 }), LATER).length > 80;
  const url = [...articles.related.keys()].find(long)!;
  const { found, reasons } = explained(request({ url, limit: 200 }));
  expect(reasons.map((one) => [one.url, one.score])).toEqual(found.map((one) => [one.url, one.score]));
  expect(reasons.length).toBeGreaterThan(80);
  for (const { parts, score, made, relevance } of reasons) {
    expect(made).toBe('product');
    expect(product(parts) / score).toBeCloseTo(1, 3);
    expect(relevance!.closeness).toBeGreaterThanOrEqual(relevance!.least);
  }
});

test('the terms are words that both posts have, the heaviest first, with their share', () => {
  const url = 'https://18f.gsa.gov/2016-02-18-analytics.usa.gov-agency-specific-dashboards';
  const { reasons } = explained(request({ url, limit: 5 }));
  const words = (of: string) => `${byUrl.get(of)!.title} ${byUrl.get(of)!.fullContent}`.toLowerCase();
  for (const { url: other, terms } of reasons) {
    expect(terms.map(({ share }) => share)).toEqual(terms.map(({ share }) => share).sort((a, b) => b - a));
    expect(terms.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(1);
    for (const { term } of terms.filter(({ term: name }) => !name.includes(':'))) {
      expect(term).not.toBe('');
      for (const word of term.split(' ')) expect(words(other)).toContain(word);
      // In the other text it may stand in the singular or the plural.
      for (const word of term.split(' ')) expect(words(url)).toContain(word.replace(/(?:ies|s)$/, ''));
    }
  }
  expect(reasons[0]!.terms.some(({ term }) => /dashboard|analytics|dap/.test(term))).toBe(true);
});

test('of a profile, taste and other readers add up to the score', () => {
  const small = smallIndex([
    post('a', { title: 'Ferry fares', fullContent: 'Ferry fares rise at the harbour kiosk.' }),
    post('b', { title: 'Night ferry', fullContent: 'The night ferry leaves the harbour.' }),
    post('c', { title: 'Chess', fullContent: 'A drawn endgame.' }),
    post('d', { title: 'Bread', fullContent: 'A patient baker bakes.' }),
  ]);
  const readers = learned('a>c', 'a>c', 'a>b');
  const asked = request({ visits: [{ url: at('a'), time: NOW }], readers });
  const found = recommend(small, asked, NOW);
  const posts = found.map((one) => ({ title: '', fullContent: '', tags: [], section: '', ...one }));
  const reasons = explain(small, asked, { posts, now: NOW });
  expect(reasons.map(({ url }) => url)).toEqual([at('c'), at('b')]);
  for (const { made, parts, score } of reasons) {
    expect(made).toBe('sum');
    expect(parts.taste! + parts.readers!).toBeCloseTo(score, 6);
  }
  expect(reasons[0]!.parts.taste).toBe(0);
  expect(reasons[1]!.parts.taste).toBeGreaterThan(0);
});

test('where nothing is relevant and the newest posts are shown, it is said', () => {
  const { reasons } = explained(request({ url: 'https://elsewhere.example/', respectEmpty: false, limit: 2 }));
  expect(reasons).toMatchObject([{ made: 'recent', score: 0, parts: {} }, { made: 'recent' }]);
});
