// GET /v2/headlines: what readers did with each title of a post, beside what was sent, and who may ask.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HeadlineRecord } from '../../server/contract/alternatives.ts';
import { compareAlternatives } from '../../server/rankings/compareAlternatives.ts';
import { createReadSecret, hashSecret } from '../../server/sites/secrets.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { headlineReaders } from '../support/headlineReaders.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
});
afterAll(() => room.close());

let posts = 0;
async function newPost(...titles: string[]): Promise<string> {
  posts += 1;
  const url = `https://paper.example/${posts}`;
  await room.write(url, { title: 'Own', imageUrl: `${url}.jpg`, alternatives: titles.map((title) => ({ title })) }, [
    `${url}/amp`,
  ]);
  return url;
}

const read = (post: string, alternative: number, of: { shown: number; quality: number }) =>
  room.happen(...headlineReaders({ post, alternative, ...of, time: room.deps.now() }));

async function asked(params: Record<string, string> = {}): Promise<HeadlineRecord[]> {
  return (await room.ask('/headlines', params)).data as unknown as HeadlineRecord[];
}

test('a running test has what lists showed and readers did, whatever day it was', async () => {
  const url = await newPost('Second');
  const started = new Date(room.deps.now()).toISOString();
  await read(url, 1, { shown: 70, quality: 3 });
  room.setNow(room.deps.now() + 30 * HOUR);
  await read(url, 1, { shown: 30, quality: 1 });
  await read(url, 2, { shown: 90, quality: 9 });
  room.setNow(room.deps.now() + HOUR);
  const [found, ...others] = await asked({ url: `${url}/amp` });
  expect(others).toEqual([]);
  const [own, second] = found?.alternatives ?? [];
  expect(found).toMatchObject({ url, state: 'running', started, ended: null, winner: null, announced: null });
  expect(own).toMatchObject({ title: 'Own', share: 0.5, metrics: { seen: 100, clicks: 4, quality_clicks: 4 } });
  expect(second).toMatchObject({ title: 'Second', share: 0.5, metrics: { seen: 90, clicks: 9, quality_clicks: 9 } });
  const [low = 0, high = 0] = [own?.metrics?.probability, second?.metrics?.probability];
  expect(low + high).toBeCloseTo(1, 2);
  expect(high).toBeGreaterThan(0.7);
});

test('what happened exactly a day ago is counted once', async () => {
  const url = await newPost('Second');
  room.setNow(room.deps.now() + 6 * HOUR);
  await read(url, 1, { shown: 20, quality: 2 });
  room.setNow(room.deps.now() + DAY);
  const [found] = await asked({ url });
  expect(found?.alternatives[0]?.metrics).toMatchObject({ seen: 20, clicks: 2, quality_clicks: 2 });
});

test('numbers that pages report of an earlier test of the post keep no title from being counted', async () => {
  const url = await newPost('Second');
  for (const alternative of [3, 4, 5]) await read(url, alternative, { shown: 10, quality: 8 });
  await read(url, 1, { shown: 50, quality: 2 });
  await read(url, 2, { shown: 50, quality: 1 });
  room.setNow(room.deps.now() + HOUR);
  const [found] = await asked({ url });
  expect(found?.alternatives.map(({ metrics }) => metrics?.seen)).toEqual([50, 50]);
});

test('a test that was won has what was counted until its end, while reports are kept', async () => {
  const url = await newPost('Second');
  await read(url, 1, { shown: 600, quality: 5 });
  await read(url, 2, { shown: 600, quality: 50 });
  room.setNow(room.deps.now() + HOUR);
  await compareAlternatives(room.deps);
  const ended = new Date(room.deps.now()).toISOString();
  room.setNow(room.deps.now() + HOUR);
  await read(url, 2, { shown: 40, quality: 4 });
  room.setNow(room.deps.now() + HOUR);
  const [found] = await asked({ url });
  expect(found).toMatchObject({ state: 'won', winner: 2, ended });
  expect(found?.alternatives.map(({ metrics }) => metrics?.seen)).toEqual([600, 600]);
  expect(found?.alternatives[1]?.metrics?.probability).toBe(found?.alternatives[1]?.share);
  expect(found?.alternatives[1]?.share).toBeGreaterThan(0.95);
  room.setNow(room.deps.now() + 91 * DAY);
  expect((await asked({ url }))[0]?.alternatives.map((one) => Object.hasOwn(one, 'metrics'))).toEqual([false, false]);
});

test('a test whose first reports are removed with the events of the site has no sums of the rest', async () => {
  await replaceSite(room.deps.sites, { ...room.site, quotas: { keepEvents: 8 } });
  const url = await newPost('Second');
  await read(url, 1, { shown: 20, quality: 2 });
  const haveMetrics = async () => (await asked({ url }))[0]?.alternatives.map((one) => Object.hasOwn(one, 'metrics'));
  room.setNow(room.deps.now() + 7 * DAY);
  expect(await haveMetrics()).toEqual([true, true]);
  room.setNow(room.deps.now() + 2 * DAY);
  expect(await haveMetrics()).toEqual([false, false]);
  await replaceSite(room.deps.sites, room.site);
});

test('without a post, all are listed, without what readers did; of an unknown post, none', async () => {
  const [running, stopped] = [await newPost('Second'), await newPost('Second')];
  await room.write(stopped, { alternatives: [] });
  await room.write('https://paper.example/plain', { title: 'Plain' });
  const all = await asked();
  expect(all.filter(({ url }) => [running, stopped].includes(url)).map(({ state }) => state)).toEqual([
    'running',
    'stopped',
  ]);
  expect(all.flatMap(({ alternatives }) => alternatives).some((one) => Object.hasOwn(one, 'metrics'))).toBe(false);
  for (const url of ['https://paper.example/plain', 'https://paper.example/none'])
    expect(await asked({ url })).toEqual([]);
});

test('a test before any list showed the post has nothing, and no title ahead', async () => {
  const url = await newPost('Second', 'Third');
  const [found] = await asked({ url });
  const none = { seen: 0, clicks: 0, quality_clicks: 0, probability: 0.333 };
  expect(found?.alternatives.map(({ metrics }) => metrics)).toEqual([none, none, none]);
});

test('is answered only with the read secret of the site, and never kept by a cache', async () => {
  const url = await newPost('Second');
  const other = { ...room.site, id: parseSiteId(`other-${posts}.example`)! };
  const secret = createReadSecret();
  await room.deps.sites.add({ ...other, secretHash: hashSecret(secret) });
  const status = async (params: Record<string, string>) => {
    const query = new URLSearchParams({ apikey: room.site.id, ...params });
    const response = await room.app.request(`http://stats.example/v2/headlines?${query}`);
    return { cache: response.headers.get('cache-control'), body: await response.json() };
  };
  const forbidden = { code: 403, message: 'Forbidden', success: false };
  for (const wrong of ['', 'wrong', room.writeSecret, secret])
    expect((await status({ url, secret: wrong })).body).toEqual(forbidden);
  expect((await status({ url, apikey: other.id, secret })).body).toMatchObject({ data: [], success: true });
  expect(await status({ url, secret: room.secret })).toMatchObject({
    cache: 'private, no-store',
    body: { data: [{ url }], success: true },
  });
});
