// Sites of hostile posts: bounded time and memory all the same.
import { expect, test } from 'vitest';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';
import { PostIndex } from '../../server/textindex/postIndex.ts';
import { POST_TERMS } from '../../server/textindex/settings.ts';
import { TermReader } from '../../server/textindex/termReader.ts';
import { cpuTime } from '../support/cpuTime.ts';
import { ask, at, post } from './corpus.ts';

/** Milliseconds of a processor one answer may take on the slowest machine that runs the tests. */
const PATIENCE = 3000;
const MEGABYTE = 1_000_000;

function fill(count: number, make: (number: number) => Partial<IndexedPost>): PostIndex {
  const index = new PostIndex();
  for (let i = 0; i < count; i++) index.put(post(String(i), { title: '', ...make(i) }), { deferred: true });
  for (const _ of index.tidy());
  return index;
}

const bytes = (index: PostIndex) => Object.values(index.bytes).reduce((sum, part) => sum + part, 0);

function answersInTime(index: PostIndex): string[] {
  const taken = cpuTime();
  const found = ask(index, { url: at('1'), respectEmpty: false });
  ask(index, { visits: [{ url: at('2'), time: 0 }], respectEmpty: false, limit: 2000 });
  expect(taken()).toBeLessThan(PATIENCE);
  return found;
}

test('a hundred thousand posts of one word', () => {
  const index = fill(100_000, () => ({ fullContent: 'word' }));
  expect(bytes(index)).toBeLessThan(40 * MEGABYTE);
  answersInTime(index);
});

test('posts of a megabyte', () => {
  const line = 'lorem ipsum dolor sit amet ';
  const index = fill(20, (i) => ({ fullContent: `${i} ${line.repeat(MEGABYTE / line.length)}` }));
  const one = 'x'.repeat(MEGABYTE);
  index.put(post('no word', { fullContent: one }));
  index.put(post('no letters', { fullContent: '!'.repeat(MEGABYTE) }));
  expect(bytes(index)).toBeLessThan(20 * MEGABYTE);
  answersInTime(index);
});

/** Every pair of characters is another one, and so is every tag. */
const ALL_DIFFERENT = Array.from({ length: 20_000 }, (_, i) =>
  String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000)),
).join('');

test('texts of more different words and pairs of words, and of more tags, than are counted of a post', () => {
  const tags = Array.from({ length: 20_000 }, (_, i) => `tag ${i}`);
  const index = fill(20, (i) => ({ fullContent: ALL_DIFFERENT.slice(i), tags: i % 2 === 0 ? tags : [] }));
  index.put(post('1', { fullContent: ALL_DIFFERENT }));
  expect(new TermReader().read(index.post(0)).count).toBe(POST_TERMS);
  answersInTime(index);
  for (let i = 0; i < 20; i++) index.remove(at(String(i)));
  expect(index.size).toBe(0);
});

test('empty posts are found by no post and find none', () => {
  const index = fill(100, () => ({ fullContent: '' }));
  expect(ask(index, { url: at('1') })).toEqual([]);
  expect(answersInTime(index)).toHaveLength(10);
});

test('one tag on all, and a hundred tags on each', () => {
  const tags = Array.from({ length: 100 }, (_, i) => `tag ${i}`);
  const index = fill(2000, (i) => ({ fullContent: `post number ${i} of many`, tags: ['all', ...tags] }));
  answersInTime(index);
});

test('the same text everywhere is shown once', () => {
  const text = Array.from({ length: 300 }, (_, i) => `sentence ${i} says something else`).join('. ');
  const index = fill(3000, () => ({ title: 'The same', fullContent: text }));
  expect(ask(index, { url: at('1') })).toEqual([]);
  expect(answersInTime(index)).toEqual([]);
  expect(ask(index, { respectEmpty: false })).toHaveLength(1);
});

test('only words that occur once', () => {
  const index = fill(3000, (i) => ({ fullContent: Array.from({ length: 300 }, (_, k) => `w${i}x${k}`).join(' ') }));
  expect(bytes(index)).toBeLessThan(60 * MEGABYTE);
  expect(ask(index, { url: at('1') })).toEqual([]);
});

test('ten thousand posts, each as close as the others to the one that is asked from', () => {
  const words = Array.from({ length: 100 }, (_, k) => `w${k}`);
  const index = fill(10_000, (i) => ({
    title: words[i % 100]!,
    fullContent: i === 1 ? words.join(' ') : `${words[i % 99]} ${words[(i % 99) + 1]}`,
    authors: i % 100 === 0 ? ['Rare'] : [],
  }));
  const taken = cpuTime();
  const all = ask(index, { url: at('1'), limit: 2000 });
  const rare = ask(index, { url: at('1'), limit: 2000, filters: { authors: ['Rare'] } });
  expect(taken()).toBeLessThan(PATIENCE);
  expect(all).toHaveLength(2000);
  expect(rare.length).toBeGreaterThan(70);
  for (const name of rare) expect(Number(name) % 100).toBe(0);
});

test.each([
  [
    'Japanese',
    '夜行フェリーは古い港を出発します。切符は港の売店で。',
    '港の売店で夜行フェリーの切符を売る女性',
    '辛抱強いパン職人と小麦粉',
  ],
  ['Chinese', '夜间渡轮从旧港口出发，船票在港口售货亭出售。', '港口售货亭出售渡轮船票的女人', '耐心的面包师和面粉'],
  ['Thai', 'เรือข้ามฟากกลางคืนออกจากท่าเรือเก่า', 'ตั๋วเรือข้ามฟากที่ท่าเรือเก่า', 'ขนมปังและแป้ง'],
  ['Korean', '야간 페리는 옛 항구를 출발합니다', '옛 항구에서 페리를 기다리며', '빵 굽는 사람과 밀가루'],
  ['Arabic', 'تغادر العبارة الليلية الميناء القديم', 'تذاكر العبارة في الميناء القديم', 'خباز صبور ودقيق'],
  ['Russian', 'Ночной паром покидает старый порт', 'Билеты на ночной паром в порт', 'Терпеливый пекарь и мука'],
])('%s', (_, asked, near, far) => {
  const index = fill(3, (i) => ({ title: [asked, near, far][i]!, fullContent: [asked, near, far][i]! }));
  expect(ask(index, { url: at('0') })[0]).toBe('1');
  expect(ask(index, { url: at('0') })).not.toContain('2');
});

test('broken text: lone surrogates, combining marks without end, controls', () => {
  const index = fill(50, (i) => ({
    title: `\ud800 ${i}`,
    fullContent: `a${'\u0301'.repeat(5000)} \udfff\u0000\u202e ${'\ud83d\ude00'.repeat(500)} ﷺ`,
  }));
  answersInTime(index);
});
