// Terms that hardly any other post has: that two posts share one says more than its part of their cosine.
import { expect, test } from 'vitest';
import { indexOf } from '../../server/evaluation/evaluate.ts';
import { explain } from '../../server/recommend/explain.ts';
import { recommend } from '../../server/recommend/recommend.ts';
import type { PostIndex } from '../../server/textindex/postIndex.ts';
import { ask, at, NOW, post, request } from './corpus.ts';

const words = (stem: string, count: number) => Array.from({ length: count }, (_, n) => `${stem}${n}`).join(' ');
/** Seven posts about ferries, of which `named` have a name in their texts, and others. */
const site = (named: number) => [
  post('page', { title: '', fullContent: `ferry harbour kiosk Zabriskie ${words('page', 12)}` }),
  ...Array.from({ length: 7 }, (_, n) =>
    post(`p${n + 10}`, {
      title: '',
      fullContent: `ferry harbour kiosk ${n < named ? 'Zabriskie' : `other${n}`} ${words(`own${n}x`, 12)}`,
    }),
  ),
  ...Array.from({ length: 120 }, (_, n) => post(`far${n}`, { title: '', fullContent: words(`far${n}x`, 16) })),
];
const asked = request({ url: at('page'), limit: 50 });

/** The effect of the factor, by name of the post. */
function effectsIn(index: PostIndex): Record<string, number | undefined> {
  const posts = recommend(index, asked, NOW).map((one) => ({
    ...{ title: '', fullContent: '', section: '', tags: [] },
    ...one,
  }));
  const reasons = explain(index, asked, { posts, now: NOW });
  return Object.fromEntries(reasons.map(({ url, parts }) => [url.replace(at(''), ''), parts.rareTerms]));
}

test.each([1, 2])('a name that %i other posts have lifts these, and no other', (named) => {
  const index = indexOf(site(named));
  const lifted = Object.entries(effectsIn(index)).filter(([, effect]) => effect !== 1);
  expect(lifted.map(([name]) => name).sort()).toEqual(['p10', 'p11'].slice(0, named));
  for (const [, effect] of lifted) expect(effect).toBeGreaterThan(1.2);
  expect(
    ask(index, { url: at('page') })!
      .slice(0, named)
      .sort(),
  ).toEqual(['p10', 'p11'].slice(0, named));
});

test('one that three others have is not rare', () => {
  expect(new Set(Object.values(effectsIn(indexOf(site(3)))))).toEqual(new Set([1]));
});

test('a post that came since the segments were merged is lifted, too', () => {
  const index = indexOf(site(0));
  index.put(post('later', { title: '', fullContent: `ferry harbour kiosk Zabriskie ${words('later', 12)}` }));
  const effects = effectsIn(index);
  expect(effects.later).toBeGreaterThan(1.2);
  expect(Object.values(effects).filter((effect) => effect !== 1)).toHaveLength(1);
});
