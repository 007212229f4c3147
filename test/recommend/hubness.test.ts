// A post that is close to many others is worth less below each of them: learned from the posts of the site alone.
import { expect, test } from 'vitest';
import { indexOf } from '../../server/evaluation/evaluate.ts';
import { recommend } from '../../server/recommend/recommend.ts';
import { PostIndex } from '../../server/textindex/postIndex.ts';
import { ask, at, NOW, request, settle, post as titled } from './corpus.ts';

/** Without a title, which would be words of its own. */
const post: typeof titled = (name, changes) => titled(name, { title: '', ...changes });
const words = (stem: string, count: number) => Array.from({ length: count }, (_, n) => `${stem}${n}`).join(' ');
const page = post('page', { fullContent: `${words('page', 8)} ferry harbour kiosk` });
/** Two posts as close to the page: the first may have thirty others about it, the second has none. */
const hub = post('a-hub', { fullContent: `ferry harbour kiosk ${words('crowd', 12)}` });
const loner = post('b-loner', { fullContent: `ferry harbour kiosk ${words('loner', 12)}` });
const crowd = Array.from({ length: 30 }, (_, n) =>
  post(`crowd${n}`, { fullContent: `${words('crowd', 12)} ${words(`own${n}x`, 9)}` }),
);
/** Pages that are never shown, as many about either: no word of the two is rarer than those of the other. */
const pages = crowd.flatMap((_, n) =>
  ['crowd', 'loner'].map((stem) => post(`${stem}-page${n}`, { fullContent: words(stem, 12), listed: false })),
);
/** Thirty of a kind: as close to one another as is usual. */
const someStrangers = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    post(`x${n}`, { fullContent: `${words(`far${n}x`, 12)} ${words(`kind${Math.floor(n / 30)}x`, 4)}` }),
  );
const site = [page, hub, loner, ...pages, ...someStrangers(1200)];

test('of two posts as close to the page, the one that fewer others are close to stands first', () => {
  // Half of the pages about either are posts now, of the first only.
  const crowded = indexOf([...site.filter(({ url }) => !url.includes('crowd-page')), ...crowd]);
  const asked = { url: at('page') };
  const [first, second] = recommend(crowded, request({ ...asked, gains: { hubnessPower: 0 } }), NOW);
  expect(first!.score).toBeCloseTo(second!.score, 6);
  expect(ask(crowded, asked)).toEqual(['b-loner', 'a-hub']);
});

test('of a site of fewer than a hundred posts nothing is learned', () => {
  const { catalogue } = indexOf([page, hub, loner, ...crowd]);
  expect(new Set(catalogue.nearness)).toEqual(new Set([1]));
});

test('a snapshot keeps what was learned', () => {
  const posts = [...site, ...crowd];
  const index = indexOf(posts);
  const learned = ask(index, { url: at('page') });
  expect(learned).toEqual(['b-loner', 'a-hub']);
  const restored = new PostIndex();
  for (const part of index.snapshot()) restored.restore(structuredClone(part));
  for (const one of posts) restored.restore(one, index.find(one.url));
  expect(ask(restored, { url: at('page') })).toEqual(learned);
});

test('a post that came since the site was learned counts as usual until it is merged', () => {
  const index = indexOf([...site.filter((one) => one !== hub), ...crowd]);
  const nearness = () => index.catalogue.nearness[index.find(hub.url)]!;
  index.put(hub);
  expect(nearness()).toBe(1);
  for (let n = 0; n < 520; n++) index.put(post(`later${n}`, { fullContent: words(`later${n}x`, 3) }));
  settle(index);
  expect(index.merges).toBe(2);
  expect(nearness()).toBeGreaterThan(1);
});
