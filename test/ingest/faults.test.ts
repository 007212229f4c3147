// The engine goes away, answers late, answers wrongly, and the spool fails too: what was acknowledged is there once.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { blankRow } from '../../server/ingest/eventRow.ts';
import { UnwritableRowsError } from '../../server/ingest/queue/unwritable.ts';
import type { EventStore } from '../../server/storage/store.ts';
import { newPage, newsroom, site } from './newsroom.ts';

const room = newsroom();

type Mood =
  /** Takes events. */
  | 'well'
  /** Refuses before anything happens. */
  | 'away'
  /** Stores events, and then says that it failed. */
  | 'ungrateful'
  /** Stores events, but answers too late. */
  | 'late';

/** However busy the machine. */
const eventually = <T>(ask: () => T) => expect.poll(ask, { timeout: 100_000, interval: 20 });

let mood: Mood = 'well';
let writes = 0;

/** The real store, in a mood. */
const moody = (): Pick<typeof room.store, 'events'> => {
  const { events } = room.store;
  const appendLines: EventStore['appendLines'] = async (lines, token) => {
    writes += 1;
    if (mood === 'away') throw new Error('connection refused');
    const now = mood;
    await events.appendLines(lines, token);
    if (now === 'ungrateful') throw new Error('connection reset');
    if (now === 'late') await eventually(() => mood).not.toBe('late');
  };
  return { events: { ...events, appendLines } };
};

/** Short retries and deadlines. */
const hasty = () => ({ retryMs: [5, 20] as const, deadlineMs: 500 });

let dirs = 0;
const open = async (limits = {}) => {
  dirs += 1;
  const dir = join(room.dir, `ingest-${dirs}`);
  await room.restart({ store: moody(), dir, limits, ...hasty() });
  return dir;
};
const reopen = (dir: string) => room.restart({ store: moody(), dir, ...hasty() });
const spooled = (dir: string) => readdirSync(join(dir, 'spool')).filter((name) => name.endsWith('.tsv'));

const emptied = (dir: string) => eventually(() => spooled(dir)).toEqual([]);

const view = (url: string, eid?: string) => ({ idsite: 'news.example', action: 'pageview', url, eid });
const send = async (url: string, eid?: string) => (await room.post({ events: [view(url, eid)] })).status;
const count = async (url: string) => (await room.stored(url)).length;
/** The same number from the roll-up by day: a replayed group must not count twice there either. */
const countInRollup = async (url: string) => {
  const sql = 'SELECT sum(views) AS n FROM post_days WHERE post = sipHash64({url:String})';
  const [row] = await room.store.traffic.run({ sql, params: { url } });
  return Number(row?.n);
};

afterEach(async () => {
  mood = 'well';
  await room.ingest.drain();
});

describe.each<Mood>(['away', 'ungrateful', 'late'])('while the engine is %s', (bad) => {
  test('events are acknowledged from the spool, and are in the engine once when it is well again', async () => {
    const dir = await open();
    const url = newPage();
    mood = bad;
    expect([await send(url), await send(url), await send(url)]).toEqual([200, 200, 200]);
    expect(spooled(dir).length).toBeGreaterThan(0);
    mood = 'well';
    await emptied(dir);
    expect(await count(url)).toBe(3);
    expect(await countInRollup(url)).toBe(3);
  });

  test('a restart in the middle loses nothing and doubles nothing', async () => {
    const dir = await open();
    const url = newPage();
    mood = bad;
    await send(url, `${url}-1`);
    await send(url, `${url}-2`);
    await room.ingest.drain();
    await reopen(dir);
    // Sent again by somebody who never got the answer.
    expect(await send(url, `${url}-1`)).toBe(200);
    mood = 'well';
    await emptied(dir);
    expect(await count(url)).toBe(2);
  });
});

test.each(['nothing', 'all'])(
  'a group that was under way when the power went is there once: %s of it was written',
  async (written) => {
    const dir = await open();
    const url = newPage();
    const token = `cut-${dirs}`;
    const groups: Buffer[] = [];
    const appendLines: EventStore['appendLines'] = async (lines, token) => {
      groups.push(lines.text);
      await room.store.events.appendLines(lines, token);
    };
    await room.restart({ store: { events: { ...room.store.events, appendLines } }, dir, ...hasty() });
    expect(await send(url)).toBe(200);
    await room.ingest.drain();
    // As it stands on the disk then.
    const { columns } = room.store.events;
    const text = Buffer.from(Buffer.concat(groups).toString().replace(url, `${url}/cut`));
    if (written === 'all') await room.store.events.appendLines({ columns, text }, token);
    writeFileSync(join(dir, 'spool', `000000000001-${token}.tsv`), `${columns.join('\t')}\n${text}`);
    await reopen(dir);
    await emptied(dir);
    expect(await count(`${url}/cut`)).toBe(1);
    expect(await countInRollup(`${url}/cut`)).toBe(1);
  },
);

test('nothing stays in the journal of what was answered', async () => {
  const dir = await open();
  const url = newPage();
  await Promise.all(['a', 'b', 'c'].map((name) => send(url, name + url)));
  for (const bad of ['away', 'ungrateful'] as const) {
    mood = bad;
    await send(url, bad + url);
    mood = 'well';
    await emptied(dir);
  }
  expect(spooled(dir)).toEqual([]);
  expect(await count(url)).toBe(5);
});

test('events keep their order: who comes while others wait in the spool, waits behind them', async () => {
  const dir = await open();
  const urls = [newPage(), newPage(), newPage()];
  mood = 'away';
  for (const url of urls.slice(0, 2)) await send(url);
  const before = writes;
  await send(urls[2]!);
  // One is being tried, and is never written to again; the others become one insert.
  expect(spooled(dir)).toHaveLength(2);
  expect(room.ingest.backlog()).toMatchObject({ waiting: 0, spooledGroups: 2, spooledEvents: 3 });
  expect(room.ingest.backlog().spooledFor).toBe(0);
  mood = 'well';
  await emptied(dir);
  await eventually(() => room.ingest.backlog()).toMatchObject({
    waiting: 0,
    spooledGroups: 0,
    spooledBytes: 0,
    spooledFor: 0,
  });
  // None was tried before the first of them was stored.
  expect(writes - before).toBeGreaterThanOrEqual(2);
  for (const url of urls) expect(await count(url)).toBe(1);
});

test('past the bound of the spool the door answers 503, and opens again', async () => {
  const dir = await open({ spoolBytes: 1500 });
  const url = newPage();
  mood = 'away';
  const answers: number[] = [];
  for (let n = 0; n < 12; n += 1) answers.push(await send(url, `${url}-${n}`));
  const taken = answers.filter((status) => status === 200).length;
  expect(taken).toBeGreaterThan(0);
  expect(answers.at(-1)).toBe(503);
  mood = 'well';
  await emptied(dir);
  for (let n = 0; n < 12; n += 1) {
    await eventually(() => send(url, `${url}-${n}`)).toBe(200);
  }
  await emptied(dir);
  expect(await count(url)).toBe(12);
});

describe('when the spool fails too', () => {
  test.each<Mood>(['away', 'ungrateful'])(
    'and the engine is %s, nothing is acknowledged, and a sender who insists counts once',
    async (bad) => {
      const dir = await open();
      const url = newPage();
      renameSync(join(dir, 'spool'), join(dir, 'taken'));
      mood = bad;
      expect(await send(url, `${url}-1`)).toBe(503);
      expect(await send(url, `${url}-1`)).toBe(503);
      expect(await send(url, `${url}-2`)).toBe(503);
      mood = 'well';
      await eventually(() => send(url, `${url}-1`)).toBe(200);
      await eventually(() => send(url, `${url}-2`)).toBe(200);
      await eventually(() => count(url)).toBe(2);
    },
  );

  test('events wait in the spool when it comes back before the engine', async () => {
    const dir = await open();
    const url = newPage();
    renameSync(join(dir, 'spool'), join(dir, 'taken'));
    mood = 'away';
    expect(await send(url, `${url}-1`)).toBe(503);
    mkdirSync(join(dir, 'spool'));
    await eventually(() => send(url, `${url}-1`)).toBe(200);
    expect(spooled(dir)).toHaveLength(1);
    mood = 'well';
    await eventually(() => count(url)).toBe(1);
  });
});

describe('what can never be written', () => {
  test('is set aside, and does not hold up the rest', async () => {
    const dir = await open();
    const [bad, good] = [newPage(), newPage()];
    mood = 'away';
    await send(bad);
    await send(good);
    // The file is not read while it is changed.
    await room.ingest.drain();
    const [file] = spooled(dir).sort();
    // As an older version of the program left it, without checksums: what is changed in it is the engine's to refuse.
    const path = join(dir, 'spool', file!);
    const [row] = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('news.example\t'));
    writeFileSync(path, `${room.store.events.columns.join('\t')}\n${row!.replace('\tpageview\t', '\tpagevoid\t')}\n`);
    mood = 'well';
    await reopen(dir);
    await emptied(dir);
    expect(await count(good)).toBe(1);
    expect(readdirSync(join(dir, 'spool', 'refused'))).toEqual([file]);
  });

  test('is distinguished from an engine that is only away', async () => {
    const { events } = room.store;
    const row = { ...blankRow(site.id), day: 'not a day' };
    await expect(events.append([row], 'refused')).rejects.toBeInstanceOf(UnwritableRowsError);
  });
});

test('whatever the engine’s moods, each acknowledged event is there once, and no other twice', async () => {
  const dir = await open({ spoolBytes: 20_000 });
  const url = newPage();
  const moods: Mood[] = ['well', 'away', 'ungrateful', 'late', 'well'];
  const acknowledged = new Set<string>();
  const sent = new Set<string>();
  let seed = 42;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 40; round += 1) {
    mood = moods[random(moods.length)]!;
    // Some are new, some are sent again whether or not they were acknowledged.
    const batch = Array.from({ length: 1 + random(6) }, () => `${url}-${random(250)}`);
    const half = Math.ceil(batch.length / 2);
    const parts = [batch.slice(0, half), batch.slice(half), batch.slice(0, 1)].filter((part) => part.length > 0);
    await Promise.all(
      parts.map(async (eids) => {
        for (const eid of eids) sent.add(eid);
        const { status } = await room.post({ events: eids.map((eid) => view(url, eid)) });
        if (status === 200) for (const eid of eids) acknowledged.add(eid);
      }),
    );
    if (random(12) === 0) {
      await room.ingest.drain();
      await reopen(dir);
    }
  }
  mood = 'well';
  await emptied(dir);
  await room.ingest.drain();
  const stored = await count(url);
  expect(acknowledged.size).toBeGreaterThan(20);
  expect(stored).toBeGreaterThanOrEqual(acknowledged.size);
  expect(stored).toBeLessThanOrEqual(sent.size);
  // Everything sent again is acknowledged now, and nothing new comes of those that were.
  await reopen(dir);
  await room.post({ events: [...sent].map((eid) => view(url, eid)) });
  await emptied(dir);
  expect(await count(url)).toBe(sent.size);
  expect(await countInRollup(url)).toBe(sent.size);
});
