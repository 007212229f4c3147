// GET /v2/analytics/annotations and POST /v2/annotations: moments that explain a curve.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAnnotation, createAnnotation } from '../../server/sites/annotations.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (name: string | number) => `https://paper.example/${name}`;

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW, timezone: 'Europe/Berlin' });
  // Twelve posts of the last hours, the first read most, and one of last year that is read more than all of them.
  const publish = async (name: string | number, pubDate: number, title: string, section = 'World') => {
    room.setNow(pubDate);
    await room.write(at(name), { title, section, pubDate });
  };
  for (let number = 1; number <= 12; number++) await publish(number, NOW - number * HOUR, `Post ${number}`);
  await publish('old', NOW - 300 * DAY, 'Evergreen');
  await publish('sport', NOW - 2 * HOUR, 'Sport', 'Sport');
  room.setNow(NOW);
  const views = (url: string, count: number) =>
    Array.from({ length: count }, () => ({ url, time: NOW - 10 * 60_000, visitor: '1' }));
  await room.happen(
    ...Array.from({ length: 12 }, (_, index) => views(at(index + 1), 30 - index)).flat(),
    ...views(at('old'), 50),
    ...views(at('sport'), 1),
  );
});
afterAll(() => room.close());

interface Moment {
  id: string | null;
  kind: string;
  time: string;
  label: string;
  url: string;
}

interface Listed {
  data: Moment[];
  more: number;
  code?: number;
}

const list = async (params: Record<string, string> = {}): Promise<Listed> =>
  (await room.ask('/analytics/annotations', params)) as unknown as Listed;

const labels = async (params: Record<string, string> = {}) =>
  (await list(params)).data.map(({ kind, label }) => `${kind}: ${label}`);

const send = async (body: object, secret = room.writeSecret, query = '') =>
  (await (
    await room.app.request(`http://stats.example/v2/annotations${query}`, {
      method: 'POST',
      body: JSON.stringify({ apikey: room.site.id, secret, ...body }),
    })
  ).json()) as { code?: number; data: Moment[]; errors?: Record<string, string[]> };

test('a site’s curve has the ten most read of the posts that were published in the period, not all, and no older one', async () => {
  const { data, more } = await list({ days: '1' });
  expect(data.map(({ label }) => label)).toEqual(Array.from({ length: 10 }, (_, index) => `Post ${index + 1}`));
  expect(data[0]).toEqual({
    id: null,
    kind: 'published',
    time: '2040-03-20T16:30:00+01:00',
    label: 'Post 1',
    url: at(1),
  });
  expect(more).toBe(0);
  const few = await list({ days: '1', limit: '3' });
  expect([few.data.map(({ label }) => label), few.more]).toEqual([['Post 1', 'Post 2', 'Post 3'], 7]);
});

test('filters choose the posts', async () => {
  expect(await labels({ days: '1', section: 'Sport' })).toEqual(['published: Sport']);
  expect(await labels({ days: '1', section: 'Nothing' })).toEqual([]);
  expect(await labels({ days: '1', pub_date_end: '2040-03-19' })).toEqual([]);
});

test('one post has its publication, its last change where it is a later one, and tests of its titles', async () => {
  expect(await labels({ days: '1', post: at(3) })).toEqual(['published: Post 3']);
  await room.write(at(3), { tags: ['x'] });
  expect(await labels({ days: '1', post: at(3) })).toEqual(['updated: Post 3', 'published: Post 3']);
  // What is stored within the hour belongs to the publication.
  room.setNow(NOW - 2 * HOUR + 60_000);
  await room.write(at('sport'), { title: 'Sports' });
  room.setNow(NOW);
  expect(await labels({ days: '1', post: at('sport') })).toEqual(['published: Sports']);
  await room.write(at('new'), { title: 'New', pubDate: NOW - HOUR / 2 });
  expect(await labels({ days: '1', post: at('new') })).toEqual(['published: New']);
  const found = (...rest: string[]) => labels({ days: '1', post: at(rest[0]!) });
  await room.write(at('new'), { alternatives: [{ title: 'Newer' }] });
  expect(await found('new')).toEqual(['headline: Titles or pictures compared', 'published: New']);
  await room.write(at('new'), { alternatives: [] });
  expect(await found('new')).toContain('headline: Comparison of titles or pictures stopped');
  expect(await labels({ days: '1', post: at('unknown') })).toEqual([]);
});

test('a site’s curve has the ten most read of the posts that changed in the period, an hour after their publication', async () => {
  const updated = async (params: Record<string, string> = {}) =>
    (await list({ days: '1', ...params })).data.filter(({ kind }) => kind === 'updated').map(({ label }) => label);
  expect(await updated()).not.toContain('Evergreen');
  // Twenty minutes apart, the newest first.
  for (const [index, name] of ['old', 12, 11].entries()) {
    room.setNow(NOW - (60 - index * 20) * 60_000);
    await room.write(at(name), { section: 'Updates' });
  }
  room.setNow(NOW);
  expect(await updated({ section: 'Updates' })).toEqual(['Post 11', 'Post 12', 'Evergreen']);
  const late = new Date(NOW - 35 * 60_000).toISOString();
  expect(await updated({ section: 'Updates', period_start: late })).toEqual(['Post 11']);
  const [mark] = (await list({ days: '1', section: 'Updates', limit: '1' })).data;
  expect(mark).toEqual({ id: null, kind: 'updated', time: '2040-03-20T17:10:00+01:00', label: 'Post 11', url: at(11) });
  for (let number = 2; number <= 10; number++) await room.write(at(number), { tags: ['y'] });
  expect((await updated()).sort()).toEqual(
    ['Evergreen', ...Array.from({ length: 9 }, (_, index) => `Post ${index + 2}`)].sort(),
  );
  // What the crawler met within the hour before is read for the first time, not changed.
  const entry = {
    due: 0,
    requested: false,
    priority: 1,
    attempts: 0,
    lastRead: 0,
    lastFailure: '',
    updatedAt: NOW,
  } as const;
  const seen = { site: room.site.id, url: at('old'), firstSeen: NOW - 90 * 60_000 };
  await room.deps.store.crawlQueue.save([{ ...entry, ...seen }]);
  expect(await updated({ section: 'Updates' })).toEqual(['Post 11', 'Post 12']);
  await room.deps.exclusions.ignore(room.site.id, at(11));
  expect(await updated({ section: 'Updates' })).toEqual(['Post 12']);
  await room.deps.exclusions.include(room.site.id, at(11));
  expect(await updated({ section: 'Updates', device: 'tablet' })).toEqual([]);
  // As many at once are an import, however few of them the filters choose.
  for (let number = 2; number <= 12; number++) await room.write(at(number), { tags: ['z'] });
  expect(await updated()).toEqual([]);
  expect(await updated({ section: 'Updates' })).toEqual([]);
  expect(await updated({ post: at(2) })).toEqual([]);
});

test('a hidden post is in no list', async () => {
  await room.deps.exclusions.ignore(room.site.id, at(1));
  await send({ label: 'About a hidden post', url: at(1) });
  expect(await labels({ days: '1' })).not.toContain('published: Post 1');
  expect(await labels({ days: '1', post: at(1) })).toEqual([]);
  await room.deps.exclusions.include(room.site.id, at(1));
  const [own] = (await list({ days: '1', post: at(1) })).data;
  expect(own).toMatchObject({ kind: 'note', label: 'About a hidden post' });
  await send({ remove: own!.id });
});

test('experiments began and ended', async () => {
  const of = { slot: 'end', goal: 'clicks', readers: 1000, variants: [] } as const;
  const before = room.deps.sites.find(room.site.id)!;
  await replaceSite(room.deps.sites, {
    ...before,
    experiments: [
      {
        ...of,
        name: 'grid',
        state: 'archived',
        startedAt: NOW - 30 * DAY,
        stoppedAt: NOW - 2 * DAY,
        endedBy: 'decision',
      },
      { ...of, name: 'row', state: 'running', startedAt: NOW - DAY - HOUR },
    ],
  });
  expect(await labels({ days: '3', section: 'Nothing' })).toEqual([
    'experiment: row started',
    'experiment: grid ended with its verdict',
  ]);
  await replaceSite(room.deps.sites, before);
});

test('a site writes what happened, at once, about all of it or about one post, and removes it', async () => {
  const written = await send({ label: ' New front page ', kind: 'deploy' });
  const [deploy] = written.data;
  expect(written).toEqual({
    data: [
      {
        id: expect.stringMatching(/^[0-9a-f]{12}$/),
        kind: 'deploy',
        time: '2040-03-20T17:30:00+01:00',
        label: 'New front page',
        url: '',
      },
    ],
    success: true,
  });
  await room.write(at(2), { title: 'Post 2', section: 'Notes' }, [`${at(2)}-older`]);
  const [mail] = (await send({ label: 'Newsletter', date: '2040-03-20T09:00', url: `${at(2)}-older` })).data;
  expect(mail).toMatchObject({ kind: 'note', time: '2040-03-20T09:00:00+01:00', url: at(2) });
  const own = async (params: Record<string, string> = {}) =>
    (await list({ days: '1', ...params })).data.flatMap(({ id, label }) => (id === null ? [] : [label]));
  expect(await own()).toEqual(['New front page', 'Newsletter']);
  expect(await own({ section: 'Sport' })).toEqual(['New front page']);
  expect(await own({ section: 'Notes' })).toEqual(['New front page', 'Newsletter']);
  expect(await own({ post: at(2) })).toContain('Newsletter');
  expect(await own({ post: at(3) })).not.toContain('Newsletter');
  expect(await own({ period_start: '2040-03-19', period_end: '2040-03-19' })).toEqual([]);
  // A script that repeats its request writes one.
  await send({ label: 'Newsletter', date: '2040-03-20T09:00', url: at(2) });
  expect(await own()).toEqual(['New front page', 'Newsletter']);
  expect((await send({ remove: deploy!.id, dry_run: true })).data).toEqual([deploy]);
  expect(await own()).toEqual(['New front page', 'Newsletter']);
  expect((await send({ remove: deploy!.id })).data).toEqual([deploy]);
  expect((await send({ remove: mail!.id })).data).toEqual([mail]);
  expect(await send({ remove: mail!.id })).toMatchObject({ code: 422, errors: { remove: [expect.any(String)] } });
  expect((await send({ label: 'Only a trial', dry_run: true })).data).toMatchObject([{ label: 'Only a trial' }]);
  expect(await own()).toEqual([]);
});

test('markup and formulas are text', async () => {
  const label = '<img src=x onerror=alert(1)> =1+1 "›" \u202e 🎈';
  const [hostile] = (await send({ label })).data;
  expect(hostile?.label).toBe(label);
  expect((await list({ days: '1', limit: '1', section: 'Nothing' })).data).toEqual([hostile]);
  await send({ remove: hostile!.id });
});

test.each([
  [{}, ['label', 'remove']],
  [{ label: 'Both', remove: 'x' }, ['label', 'remove']],
  [{ label: '' }, ['label']],
  [{ label: '  ' }, ['label']],
  [{ label: 7 }, ['label']],
  [{ label: 'a'.repeat(201) }, ['label']],
  [{ label: 'two\nlines' }, ['label']],
  [{ label: 'half \ud83c' }, ['label']],
  [{ label: 'Deploy', kind: 'Deploy' }, ['kind']],
  [{ label: 'Deploy', kind: 'published' }, ['kind']],
  [{ label: 'Deploy', kind: 'a'.repeat(33) }, ['kind']],
  [{ label: 'Deploy', kind: 'toString()' }, ['kind']],
  [{ label: 'Deploy', date: 'yesterday' }, ['date']],
  [{ label: 'Deploy', date: 2040 }, ['date']],
  [{ label: 'Deploy', date: '1999-12-31' }, ['date']],
  [{ label: 'Deploy', date: '2042-01-01' }, ['date']],
  [{ label: 'Deploy', date: '9999-12-31T24:00' }, ['date']],
  [{ label: 'Deploy', url: 'javascript:alert(1)' }, ['url']],
  [{ label: 'Deploy', url: '/relative' }, ['url']],
  [{ label: 'Deploy', url: null }, ['url']],
  [{ remove: 7 }, ['remove']],
  [{ remove: '' }, ['remove']],
  [{ label: 'Deploy', dry_run: 'yes' }, ['dry_run']],
])('%j is refused, and nothing is written', async (body, fields) => {
  const answer = await send(body);
  expect(answer).toMatchObject({ code: 422, success: false });
  expect(Object.keys(answer.errors!).sort()).toEqual(fields);
  for (const sentence of Object.values(answer.errors!).flat()) expect(sentence).toMatch(/^(?:Give|The site has) .*\.$/);
  expect(await room.deps.store.annotations.list(room.site.id)).toEqual([]);
});

test('a dry run that is asked for in the address is refused, and nothing is written', async () => {
  const answer = await send({ label: 'Deploy' }, room.writeSecret, '?dry_run=1');
  expect(answer).toMatchObject({ code: 422, errors: { dry_run: ['Give it in the body, as true or false.'] } });
  expect(await room.deps.store.annotations.list(room.site.id)).toEqual([]);
});

test('the read secret, or none, writes nothing', async () => {
  for (const secret of [room.secret, ''])
    expect(await send({ label: 'Deploy' }, secret)).toEqual({ code: 403, message: 'Forbidden', success: false });
  expect(await room.deps.store.annotations.list(room.site.id)).toEqual([]);
});

test('a site keeps a bounded number: the oldest goes, and one that is older than all is refused', async () => {
  const { annotations } = room.deps.store;
  const of = (ago: number) => createAnnotation({ label: `Deploy ${ago}`, at: NOW - ago * HOUR });
  const add = (ago: number) => addAnnotation(annotations, room.site.id, { annotation: of(ago), now: NOW, most: 3 });
  for (const ago of [3, 1, 2, 2]) expect(await add(ago)).toBe(true);
  expect(await add(4)).toBe(false);
  expect(await add(0.5)).toBe(true);
  expect((await annotations.list(room.site.id)).map(({ label }) => label)).toEqual([
    'Deploy 0.5',
    'Deploy 1',
    'Deploy 2',
  ]);
  const few = { days: '1', section: 'Nothing', limit: '1' };
  expect(await list(few)).toMatchObject({ data: [{ label: 'Deploy 0.5' }], more: 2 });
});

test('they go with their site', async () => {
  await room.deps.sites.remove(room.site.id);
  expect(await room.deps.store.annotations.list(room.site.id)).toEqual([]);
});
