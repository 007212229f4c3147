// GET /v2/exclude/…: at most 200 URLs, for 90 days.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const DAY = 86_400_000;
const url = (n: number) => `https://paper.example/${String(n).padStart(3, '0')}`;
const DONE = { data: [], success: true };

let room: Newsroom;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
});

afterAll(() => room.close());

test('hiding and showing again may be repeated', async () => {
  for (let time = 0; time < 2; time++) expect(await room.ask('/exclude/ignore', { url: url(0) })).toEqual(DONE);
  expect(await room.ask('/exclude/list')).toMatchObject({ data: [url(0)], success: true });
  for (let time = 0; time < 2; time++) expect(await room.ask('/exclude/include', { url: url(0) })).toEqual(DONE);
  expect(await room.ask('/exclude/list')).toMatchObject({ data: [], success: true });
});

test.each([
  {},
  { url: '' },
  { url: 'paper.example/a' },
  { url: 'javascript:alert(1)' },
  { url: `https://a/${'x'.repeat(2048)}` },
])('an address like %j is refused', async (params) => {
  expect(await room.ask('/exclude/ignore', params as Record<string, string>)).toMatchObject({
    code: 422,
    message: 'Bad parameters: url',
  });
});

test('the 201st is refused, also when many come at once, and changes nothing', async () => {
  const answers = await Promise.all(
    Array.from({ length: 205 }, (_, n) => room.ask('/exclude/ignore', { url: url(n) })),
  );
  expect(answers.filter((answer) => answer.success)).toHaveLength(200);
  const refused = answers.find((answer) => !answer.success);
  expect(refused).toMatchObject({ code: 422, message: 'Bad parameters: url' });
  // A dry run answers the same, and changes nothing.
  const dry_run = '1';
  expect(await room.ask('/exclude/ignore', { url: url(0), dry_run })).toEqual(DONE);
  expect(await room.ask('/exclude/ignore', { url: url(999), dry_run })).toMatchObject({ code: 422 });
  expect(await room.ask('/exclude/include', { url: url(0), dry_run })).toEqual(DONE);
  expect((await room.ask('/exclude/list')).data).toHaveLength(200);
  expect(await room.ask('/exclude/ignore', { url: url(0) })).toEqual(DONE);
});

let begin = NOW;
test('after ninety days a URL shows by itself', async () => {
  begin += 100 * DAY;
  room.setNow(begin);
  const hidden = url(begin);
  expect(await room.ask('/exclude/ignore', { url: hidden })).toEqual(DONE);
  await room.write(hidden, { title: 'Hidden for long' });
  room.setNow(begin + 90 * DAY - 60_000);
  await room.happen({ url: hidden });
  expect((await room.ask('/analytics/posts')).data).toEqual([]);
  room.setNow(begin + 90 * DAY + 60_000);
  expect((await room.ask('/analytics/posts')).data).toHaveLength(1);
  expect((await room.ask('/exclude/list')).data).toEqual([]);
});

test('a URL that is hidden again is hidden for ninety days from then on', async () => {
  begin += 200 * DAY;
  room.setNow(begin);
  const again = url(begin);
  expect(await room.ask('/exclude/ignore', { url: again })).toEqual(DONE);
  room.setNow(begin + 80 * DAY);
  expect(await room.ask('/exclude/ignore', { url: again })).toEqual(DONE);
  room.setNow(begin + 100 * DAY);
  expect((await room.ask('/exclude/list')).data).toEqual([again]);
  room.setNow(begin + 171 * DAY);
  expect((await room.ask('/exclude/list')).data).toEqual([]);
});

test.each([
  ['https://paper.example/caf%C3%A9', 'https://paper.example/café'],
  ['https://paper.example/harbour', 'HTTPS://Paper.Example:443/harbour#top'],
  ['https://xn--pper-loa.example/a', 'https://päper.example/a'],
])('%s is hidden and shown again as %s', async (stored, written) => {
  await room.write(stored, { title: 'Written in another way' });
  await room.happen({ url: stored });
  const listed = async () => (await room.ask('/analytics/posts', { limit: '100' })).data.map((post) => post.url);
  expect(await listed()).toContain(stored);
  expect(await room.ask('/exclude/ignore', { url: written })).toEqual(DONE);
  expect((await room.ask('/exclude/list')).data).toEqual([stored]);
  expect(await listed()).not.toContain(stored);
  expect(await room.ask('/exclude/include', { url: written })).toEqual(DONE);
  expect(await listed()).toContain(stored);
});
