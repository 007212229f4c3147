// GET and POST /v2/frontier: what the mix dial gives on the views of a site's own readers, measured beside the server.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import type { FrontierRecord } from '../../server/contract/frontier.ts';
import { StoreUnavailableError } from '../../server/errors.ts';
import { indexOf } from '../../server/evaluation/evaluate.ts';
import { evaluateFrontier } from '../../server/evaluation/frontier.ts';
import { createFrontiers, type FrontiersOptions } from '../../server/evaluation/frontiers.ts';
import type { Site } from '../../server/sites/site.ts';
import { ensureBuilt } from '../support/build.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { onwardLog, onwardPosts } from '../support/onwardPaper.ts';
import { until } from '../support/until.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const THREAD = new URL('../../dist/server/frontierThread.js', import.meta.url);

let room: Newsroom;
beforeAll(async () => {
  await ensureBuilt();
  room = await openNewsroom({ now: NOW });
});
afterAll(() => room.close());

/** The application of a copy of the server over the data of the room. */
function openCopy(of: Partial<FrontiersOptions> = {}) {
  const { store, sites, now, clock = now } = room.deps;
  const frontiers = createFrontiers({
    store,
    sites,
    thread: THREAD,
    now,
    clock,
    log: pino({ level: 'silent' }),
    ...of,
  });
  const app = createApp({ ...room.deps, frontiers });
  const answer = async (response: Response | Promise<Response>) =>
    (await (await response).json()) as { data: FrontierRecord[]; code?: number; errors?: Record<string, string[]> };
  const ask = (secret = room.secret) =>
    answer(app.request(`http://stats.example/v2/frontier?apikey=${room.site.id}&secret=${secret}`));
  return {
    ...frontiers,
    ask,
    state: async () => (await ask()).data[0]!,
    measure: (secret = room.writeSecret, more: { apikey?: string; dry_run?: boolean } = {}) =>
      answer(
        app.request('http://stats.example/v2/frontier', {
          method: 'POST',
          body: JSON.stringify({ apikey: room.site.id, secret, ...more }),
        }),
      ),
    /** Waits for the end of what runs. */
    ended: () =>
      until('the measurement ends', async () => {
        const state = (await ask()).data[0]!;
        return state.state === 'running' ? undefined : state;
      }),
  };
}

/** A store that gives the posts out when it is let. */
function openGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { store } = room.deps;
  async function* lines(site: Site['id']) {
    await opened;
    yield* store.posts.lines(site);
  }
  return { open, store: { ...store, posts: { ...store.posts, lines } } };
}

const NEVER = { state: 'none', started: null, progress: null, reason: null, result: null };

test('a site that was never measured says so, and one without posts says what it lacks', async () => {
  const copy = openCopy();
  expect(await copy.state()).toEqual(NEVER);
  const { data } = await copy.measure();
  const begun = { state: 'running', started: new Date(NOW).toISOString(), progress: { done: 0, total: 0 } };
  expect(data).toEqual([{ ...NEVER, ...begun }]);
  const reason = 'The site has 0 posts: at least 20 are needed, so that lists differ.';
  expect(await copy.ended()).toEqual({ ...NEVER, state: 'too-few', started: begun.started, reason });
});

/** Views as the pipeline stores them: visitors are hashes. */
const viewsOf = (log: ReturnType<typeof onwardLog>) =>
  log.map(({ time, visitor, post }) => ({ time, url: post, visitor: String(Number(visitor.slice(1)) + 1) }));

test('a site whose readers read one post and leave says what it lacks', async () => {
  for (const { url, title, fullContent, section, pubDate } of onwardPosts(NOW))
    await room.write(url, { title, fullContent, section, pubDate });
  await room.happen(...viewsOf(onwardLog(NOW - 3 * DAY, 30)).filter((_, at) => at % 2 === 0));
  const copy = openCopy();
  await copy.measure();
  const { state, reason } = await copy.ended();
  expect(state).toBe('too-few');
  expect(reason).toBe(
    'The site has 30 views of posts in 28 days. In them a reader went on to another post 0 times where the dial is ' +
      'fitted, and 0 times where it is judged: at least 50 of each are needed.',
  );
});

test('the figures are those of the evaluation of the same posts and views, and the recommendation is in words', async () => {
  await room.happen(...viewsOf(onwardLog(NOW)));
  const copy = openCopy();
  await copy.measure();
  const { state, started, progress, reason, result } = await copy.ended();
  expect([state, started, progress, reason]).toEqual(['measured', new Date(NOW).toISOString(), null, null]);
  const log = [...onwardLog(NOW - 3 * DAY, 30).filter((_, at) => at % 2 === 0), ...onwardLog(NOW)];
  const steps = evaluateFrontier({
    log,
    index: indexOf(onwardPosts(NOW).sort((a, b) => (a.url < b.url ? -1 : 1))),
    clock: () => 0,
  });
  const { points, recommended, confirmed } = [...steps].at(-1)!.frontier!;
  expect(result).toEqual({
    measured: new Date(NOW).toISOString(),
    posts: 192,
    all_posts: 192,
    views: 1230,
    questions: points[0]!.questions,
    points: points.map(({ mix, kept, reciprocal, hitRate, coverage, shown, age, diversity }) => ({
      ...{ mix, kept, coverage, shown, age, diversity },
      mrr: reciprocal,
      hit_rate: hitRate,
    })),
    ...{ recommended, confirmed },
    says: [
      expect.stringMatching(`^Recommended: mix ${recommended}\\. .* of the list of the page alone\\.$`),
      expect.any(String),
    ],
  });
  expect(result!.points.at(-1)!.hit_rate).toBeGreaterThan(0.9);
});

test('of a site with more posts than fit into memory the newest are measured, and views of these', async () => {
  const copy = openCopy({ mostPosts: 100 });
  await copy.measure();
  const { state, result } = await copy.ended();
  const newest = onwardPosts(NOW)
    .sort((a, b) => b.pubDate! - a.pubDate!)
    .slice(0, 100);
  const urls = new Set(newest.map(({ url }) => url));
  const views = [...onwardLog(NOW - 3 * DAY, 30).filter((_, at) => at % 2 === 0), ...onwardLog(NOW)];
  expect(state).toBe('measured');
  expect(result).toMatchObject({
    posts: 100,
    all_posts: 192,
    views: views.filter(({ post }) => urls.has(post)).length,
  });
});

test('a second measurement is refused while one runs, of the same site and of another one, and says why', async () => {
  const gate = openGate();
  const copy = openCopy({ store: gate.store });
  await copy.measure();
  const other: Site = { ...room.site, id: 'other.example' as Site['id'] };
  await room.deps.sites.add(other);
  const refusals = [await copy.measure(), await copy.measure(room.writeSecret, { apikey: other.id })];
  expect(refusals).toMatchObject([
    { code: 422, errors: { state: ['The site is measured already: GET /v2/frontier says how far it is.'] } },
    { code: 422, errors: { state: [expect.stringMatching(/^The server measures another site now, one at a time/)] } },
  ]);
  const running = await copy.state();
  expect([running.state, running.result?.recommended]).toEqual(['running', expect.any(Number)]);
  gate.open();
  expect((await copy.ended()).state).toBe('measured');
});

test('a dry run begins nothing: it answers what would be, or the refusal', async () => {
  const gate = openGate();
  const copy = openCopy({ store: gate.store });
  const before = await copy.state();
  const dry = { dry_run: true };
  expect((await copy.measure(room.writeSecret, dry)).data).toMatchObject([{ state: 'running' }]);
  expect(await copy.state()).toEqual(before);
  expect((await copy.measure(room.secret, dry)).code).toBe(403);
  await copy.measure();
  expect((await copy.measure(room.writeSecret, dry)).code).toBe(422);
  gate.open();
  await copy.ended();
});

test('who may only read begins nothing, and without a secret nothing is said', async () => {
  const copy = openCopy();
  const before = await copy.state();
  for (const secret of [room.secret, '', 'wrong']) expect((await copy.measure(secret)).code).toBe(403);
  expect((await copy.ask('wrong')).code).toBe(403);
  expect(await copy.state()).toEqual(before);
});

test('a measurement ends with its server, which says so; the result of before stays', async () => {
  const gate = openGate();
  const copy = openCopy({ store: gate.store });
  await copy.measure();
  const closed = copy.close();
  gate.open();
  await closed;
  const { state, reason, result } = await openCopy().state();
  expect([state, reason]).toEqual([
    'failed',
    'The measurement was broken off before its result was stored. Measure again.',
  ]);
  expect(result?.points).toHaveLength(10);
});

test('a measurement whose server was killed is broken off; on a shared database once the copy is silent', async () => {
  const gate = openGate();
  const killed = openCopy({ store: gate.store });
  await killed.measure();
  expect((await openCopy().state()).state).toBe('failed');
  const beside = openCopy({ store: { ...room.deps.store, isShared: () => true } });
  expect((await beside.state()).state).toBe('running');
  expect((await beside.measure()).errors).toMatchObject({ state: [expect.stringContaining('measured already')] });
  room.setNow(NOW + 2 * MINUTE);
  expect((await beside.state()).state).toBe('failed');
  gate.open();
  await killed.close();
});

test('a measurement that takes too long, or whose thread fails, says so', async () => {
  const gate = openGate();
  const slow = openCopy({ store: gate.store });
  await slow.measure();
  room.setNow(NOW + 33 * MINUTE);
  gate.open();
  expect(await slow.ended()).toMatchObject({
    state: 'failed',
    reason: 'The measurement takes longer than 30 minutes on this server.',
  });
  const broken = openCopy({ thread: new URL('noThread.js', import.meta.url) });
  await broken.measure();
  expect(await broken.ended()).toMatchObject({
    state: 'failed',
    reason: 'The measurement failed: the log of the server says why.',
    result: { posts: 192 },
  });
});

/** A store that takes how far a measurement is, and while it is away nothing of its end. */
function openDoor() {
  const { store } = room.deps;
  const door = { isAway: true, refused: 0 };
  const save: typeof store.frontiers.save = async (site, record, now) => {
    if (door.isAway && record.state !== 'running') {
      door.refused++;
      throw new StoreUnavailableError('The database does not answer.');
    }
    await store.frontiers.save(site, record, now);
  };
  const refusedOnce = async () => {
    const before = door.refused;
    await until('the end is refused', () => door.refused > before);
  };
  return { door, refusedOnce, store: { ...store, frontiers: { ...store.frontiers, save } } };
}

test('a result that the database does not take is stored as soon as it is back', async () => {
  const { door, refusedOnce, store } = openDoor();
  const copy = openCopy({ store });
  await copy.measure();
  await refusedOnce();
  await refusedOnce();
  expect((await copy.state()).state).toBe('running');
  door.isAway = false;
  const ended = await copy.ended();
  expect(ended.state).toBe('measured');
  expect(await openCopy().state()).toEqual(ended);
});

test('it is given up where the database stays away for ten minutes, and where the server stops', async () => {
  const brokenOff = {
    state: 'failed',
    reason: 'The measurement was broken off before its result was stored. Measure again.',
    result: { posts: 192 },
  };
  const { refusedOnce, store } = openDoor();
  const copy = openCopy({ store });
  await copy.measure();
  await refusedOnce();
  room.setNow(room.deps.now() + 11 * MINUTE);
  expect(await copy.ended()).toMatchObject(brokenOff);
  await copy.measure();
  await refusedOnce();
  await copy.close();
  expect(await openCopy().state()).toMatchObject(brokenOff);
});
