// Storage opens, creates its tables, refuses what it must, and keeps what it was given.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blankRow, type EventRow } from '../../server/ingest/eventRow.ts';
import type { Post } from '../../server/posts/post.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import { openStore } from '../../server/storage/openStore.ts';
import { parsePosts } from '../../server/storage/postRows.ts';
import type { Store } from '../../server/storage/store.ts';
import { type Scratch, scratch, silent } from './scratch.ts';

const DAY = 24 * 3600 * 1000;
// Of the engine's clock, by which it erases what is old.
const now = Date.now();
const news = parseSiteId('news.example')!;
const other = parseSiteId('other.example')!;

let place: Scratch;
let store: Store;
const reopen = async () => {
  store = await openStore({ engine: place.engine, log: silent, now: () => now });
};

beforeAll(async () => {
  place = scratch();
  await reopen();
});
afterAll(async () => {
  await store.close();
  place.remove();
});

const site = (id = news, changes: Partial<Site> = {}): Site => ({
  id,
  timezone: 'Europe/Berlin',
  domains: ['www.news.example', 'localhost:8080'],
  features: { top: true, recommendations: false, search: true },
  secretHash: 'a'.repeat(64),
  writeSecretHash: 'b'.repeat(64),
  createdAt: now,
  ...changes,
});

const post = (url: string, changes: Partial<Post> = {}): Post => ({
  url,
  pageType: 'post',
  title: 'A title',
  imageUrl: '',
  thumbUrl: '',
  pubDate: now,
  section: 'News',
  authors: ['Ann', 'Bob'],
  tags: ['x'],
  fullContent: 'Words',
  wordCount: 1,
  language: 'en',
  duration: 0,
  postId: '',
  videoPlatform: '',
  metadata: '',
  updatedAt: now,
  ...changes,
});

const view = (changes: Partial<EventRow> = {}): EventRow => ({
  ...blankRow(news),
  time: now,
  day: new Date(now).toISOString().slice(0, 10),
  url: 'https://news.example/a',
  visitor: '18446744073709551615',
  ...changes,
});

const ask = (sql: string, params: Record<string, unknown> = {}) => store.traffic.run({ sql, params });

describe('the engine', () => {
  test('lets one process in, and names the one that has the directory', async () => {
    const program = `
      import { connect } from './server/storage/connect.ts';
      const path = ${JSON.stringify(place.engine.kind === 'embedded' && place.engine.path)};
      const error = await connect({ kind: 'embedded', path }).catch((caught) => caught);
      console.log(JSON.stringify({ name: error.name, pid: error.pid, message: error.message }));
      process.exit(0);`;
    const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    const said = JSON.parse(run.stdout.trim().split('\n').at(-1)!);
    expect(said).toMatchObject({ name: 'EngineBusyError', pid: process.pid });
    expect(said.message).toContain(place.dir);
    expect(said.message).toContain('--data');
  });

  test('refuses a database that a newer program wrote', async () => {
    await store.close();
    const engine = await connect(place.engine);
    await engine.insert('schema_version', [{ version: 9999, applied_at: now }]);
    await engine.close();
    await expect(reopen()).rejects.toMatchObject({
      name: 'NewerSchemaError',
      message: expect.stringMatching(
        /has schema version 9999; this program knows versions up to \d+\. Install the version/,
      ),
    });
    const again = await connect(place.engine);
    await again.command('ALTER TABLE schema_version DELETE WHERE version = 9999');
    await again.close();
    await reopen();
  });

  test('resets a setting of one statement before the next: no time limit or token lingers', async () => {
    await store.close();
    const engine = await connect(place.engine);
    await engine.command(
      'CREATE TABLE lingering (n UInt8) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 10',
    );
    await engine.insert('lingering', [{ n: 1 }], 'token');
    await engine.insert('lingering', [{ n: 2 }]);
    await expect(engine.rows('SELECT sleep(3)', {}, { maxSeconds: 1 })).rejects.toThrow('The question took too long');
    await Promise.all([1, 2, 3].map(() => engine.rows('SELECT sleep(1.2)')));
    expect(await engine.rows('SELECT n FROM lingering ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
    await engine.command('DROP TABLE lingering');
    await engine.close();
    await reopen();
  });
});

describe('sites', () => {
  test('are kept, replaced and found, also after the clock was set back', async () => {
    await store.sites.save(site(), now);
    const change = { domains: [], features: { top: false, recommendations: true, search: false } };
    const events = { eventMetadata: true, segmentKeys: ['plan', 'tier'], dials: { mix: 0.25, diversity: 1 } };
    const variants = [
      { name: 'control', share: 50 },
      { name: 'b', share: 50, heading: 'Weiter “lesen”\\' },
    ];
    const experiment = { name: 'heading', slot: 'after', goal: 'views', readers: 9_000, state: 'running' } as const;
    const rules = [{ name: 'front', always: true, rules: [{ hide: { by: 'tag', value: 'x' } as const }] }];
    const settings = { ...change, ...events, experiments: [{ ...experiment, variants, startedAt: now }], rules };
    await store.sites.save(site(news, settings), now - 5 * 3_600_000);
    await store.sites.save(site(other), now);
    expect(await store.sites.find(news)).toEqual(site(news, settings));
    expect((await store.sites.list()).map((found) => found.id)).toEqual([news, other]);
  });

  test('leave nothing behind when removed, and take nothing of another with them', async () => {
    for (const id of [news, other]) {
      await store.sites.save(site(id), now);
      await store.events.append([view({ site: id })], `removal-${id}`);
      await store.posts.save(id, [post('https://news.example/a')]);
      await store.posts.alias(id, 'https://news.example/a', ['https://news.example/b'], now);
      await store.exclusions.add(id, 'https://news.example/a', now);
      await store.profiles.append([{ site: id, uuid: 'u', url: 'https://news.example/a', time: now }], `visit-${id}`);
    }
    await store.sites.remove(news);
    const tables = await ask(`SELECT table FROM system.columns WHERE database = currentDatabase() AND name = 'site'`);
    expect(tables.length).toBeGreaterThan(6);
    for (const { table } of tables) {
      const rows = await ask(`SELECT DISTINCT toString(site) AS site FROM ${table}`);
      expect({ table, rows }).toEqual({ table, rows: rows.length === 0 ? [] : [{ site: other }] });
    }
    expect((await store.sites.list()).map((found) => found.id)).toEqual([other]);
    expect(await store.posts.get(other, ['https://news.example/a'])).toHaveLength(1);
  });
});

describe('events', () => {
  test('are stored once per token, in the table and in what is derived from it', async () => {
    const rows = [view({ url: 'https://news.example/once' }), view({ url: 'https://news.example/twice' })];
    await store.events.append(rows, 'same');
    await store.events.append(rows, 'same');
    await store.events.append(rows.slice(0, 1), 'another');
    const counts = await ask(`SELECT url, count() AS n FROM events WHERE url LIKE '%ce' GROUP BY url ORDER BY url`);
    expect(counts).toEqual([
      { url: 'https://news.example/once', n: 2 },
      { url: 'https://news.example/twice', n: 1 },
    ]);
    const views = (url: string) =>
      ask(`SELECT sum(views) AS n FROM post_days WHERE post = sipHash64({url:String})`, { url });
    for (const { url, n } of counts) expect(await views(String(url))).toEqual([{ n }]);
  });

  test('keep every text as it came, whatever is in it', async () => {
    let batch = 0;
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (texts) => {
        batch += 1;
        const campaign = `batch-${batch}`;
        const rows = texts.map((value, index) =>
          view({ campaignId: campaign, campaignTerm: value, time: now + index, url: 'https://news.example/text' }),
        );
        await store.events.append(rows, campaign);
        const back = await ask('SELECT campaign_term FROM events WHERE campaign_id = {campaign:String} ORDER BY time', {
          campaign,
        });
        expect(back.map((row) => row.campaign_term)).toEqual(texts);
      }),
      { numRuns: 30, examples: [[["'; DROP TABLE events; --", ';\n\n;', '\\', '\0', '{x:String}', '\u2028']]] },
    );
  });

  test('replace half a surrogate pair instead of losing the batch', async () => {
    await store.events.append([view({ campaignId: 'half', campaignTerm: 'a\ud800b' })], 'half');
    expect(await ask(`SELECT campaign_term FROM events WHERE campaign_id = 'half'`)).toEqual([
      { campaign_term: 'a\ufffdb' },
    ]);
  });
});

describe('posts', () => {
  let posts = 0;
  test('come back in the order asked for, newest version, without the unknown', async () => {
    const [a, b] = [1, 2].map(() => `https://news.example/p${++posts}`) as [string, string];
    const full = post(a, {
      title: 'It’s "new"',
      pubDate: null,
      metadata: '{"k":[1]}',
      duration: 12.5,
      tags: ['a,b', "'"],
    });
    await store.posts.save(news, [post(a), post(b)]);
    await store.posts.save(news, [{ ...full, updatedAt: now + 5 }]);
    expect(await store.posts.get(news, [b, 'https://news.example/none', a])).toEqual([
      post(b),
      { ...full, updatedAt: now + 5 },
    ]);
    await store.posts.remove(news, [b], now + 6);
    expect(await store.posts.get(news, [a, b])).toHaveLength(1);
    expect(await store.posts.get(news, [])).toEqual([]);
  });

  test('stream whole, in batches, each once', async () => {
    const many = Array.from({ length: 1203 }, (_, index) => post(`https://many.example/${index}`));
    const id = parseSiteId('many.example')!;
    await store.posts.save(id, many);
    const batches: Post[][] = [];
    for await (const batch of store.posts.stream(id)) batches.push(batch);
    expect(batches.length).toBeGreaterThan(1);
    const seen = batches.flat().map(({ url }) => url);
    expect(new Set(seen).size).toBe(1203);
    expect(seen).toHaveLength(1203);
  });

  test('come as lines for another thread, with their texts and without, the same posts', async () => {
    const id = parseSiteId('lines.example')!;
    const posts = Array.from({ length: 703 }, (_, index) => post(`https://lines.example/${index}`));
    const odd = { ...posts[7]!, title: 'Two\nlines, “quoted” and \u2028 more', tags: ['a"b'], pubDate: null };
    await store.posts.save(id, [...posts, odd]);
    const parsed = async (batches: AsyncIterable<Uint8Array>) => {
      const found: Post[] = [];
      for await (const batch of batches) found.push(...parsePosts(batch));
      return found;
    };
    const whole: Post[] = [];
    for await (const batch of store.posts.stream(id)) whole.push(...batch);
    expect(whole.find(({ url }) => url === odd.url)).toMatchObject({ title: odd.title, tags: odd.tags });
    expect(await parsed(store.posts.lines(id))).toEqual(whole);
    expect(await parsed(store.posts.cardLines(id))).toEqual(whole.map((one) => ({ ...one, fullContent: '' })));
    expect(await parsed(store.posts.lines(parseSiteId('nobody.example')!))).toEqual([]);
  });

  test('have aliases, the last word on each', async () => {
    await store.posts.alias(news, 'https://news.example/a', ['https://news.example/x', 'https://news.example/y'], now);
    await store.posts.alias(news, 'https://news.example/b', ['https://news.example/y'], now + 1);
    expect(await store.posts.aliases(news)).toEqual(
      new Map([
        ['https://news.example/x', 'https://news.example/a'],
        ['https://news.example/y', 'https://news.example/b'],
      ]),
    );
  });
});

describe('exclusions and profiles', () => {
  test('a URL is hidden, shown and hidden again within one millisecond', async () => {
    const url = 'https://news.example/hidden';
    await store.exclusions.add(news, url, now);
    await store.exclusions.remove(news, url, now);
    expect(await store.exclusions.list(news, now)).not.toContain(url);
    await store.exclusions.add(news, url, now);
    expect(await store.exclusions.list(news, now)).toContain(url);
    expect(await store.exclusions.list(news, now + 91 * DAY)).not.toContain(url);
  });

  test('a profile lists its pages newest first, each once, none older than 7 days', async () => {
    const visit = (url: string, time: number) => ({ site: news, uuid: 'reader', url, time });
    await store.profiles.append([visit('a', now - 8 * DAY), visit('b', now - DAY), visit('c', now - 2 * DAY)], 'v1');
    await store.profiles.append([visit('c', now), visit('d', now - 3 * DAY)], 'v2');
    expect(await store.profiles.visits(news, 'reader', { now, limit: 2 })).toEqual([
      { url: 'c', time: now },
      { url: 'b', time: now - DAY },
    ]);
    expect(await store.profiles.visits(news, 'nobody', { now, limit: 9 })).toEqual([]);
    expect(await store.profiles.visits(news, 'reader', { now, limit: 9 })).toHaveLength(3);
  });
});
