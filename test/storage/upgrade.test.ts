// A database of an earlier release, with rows in it, opens with this program and answers as before.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashSecret } from '../../server/sites/secrets.ts';
import { parseSiteId, type Site } from '../../server/sites/site.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { openStore } from '../../server/storage/openStore.ts';
import { SCHEMA, VERSION } from '../../server/storage/schema/schema.ts';
import { createStatements } from '../../server/storage/schema/statements.ts';
import { planUpgrade, upgrade } from '../../server/storage/schema/upgrade.ts';
import { runCommand } from '../support/command.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { openNewsroom } from '../support/newsroom.ts';
import { laterSchema } from './laterSchema.ts';
import { createRecorded, definitionsOf } from './recordedSchemas.ts';
import { type Scratch, scratch, silent } from './scratch.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const context = { log: silent, now: () => NOW };
const versions = Array.from({ length: VERSION }, (_, at) => at + 1);

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());
afterAll(removeDataDirs);

async function within<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await connect(place.engine);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

const open = async () => (await openStore({ engine: place.engine, ...context })).close();

const versionsOf = (engine: Engine) => engine.rows('SELECT version FROM schema_version ORDER BY version');

/** As the recorded rows have it. */
const SITE: Site = {
  id: parseSiteId('kept.example')!,
  timezone: 'UTC',
  domains: ['www.kept.example'],
  features: { top: true, recommendations: true, search: true },
  dials: { mix: 0.25 },
  secretHash: hashSecret('read'),
  writeSecretHash: hashSecret('write'),
  createdAt: 2_209_000_000_000,
};

/** What readers and editors see of the recorded rows. */
async function answers(): Promise<Record<string, unknown>> {
  const like = { site: SITE, secret: 'read', writeSecret: 'write' };
  const room = await openNewsroom({ now: NOW, engine: place.engine, like });
  try {
    const ask = async (path: string, params: Record<string, string> = {}) =>
      (await room.ask(path, { days: '60', ...params })).data;
    const hits = async (path: string, params: Record<string, string> = {}) =>
      (await ask(path, params)).map(({ name, url, _hits }) => `${name ?? url} ${_hits}`);
    const [detail] = await ask('/analytics/post/detail', {
      url: HARBOUR,
      metrics: 'views,visitors,visitors_new,engaged_minutes',
    });
    const history = (await room.ask('/history', { uuid: 'reader' })).data as unknown;
    return {
      site: await room.deps.store.sites.find(SITE.id),
      posts: await hits('/analytics/posts'),
      harbour: (detail as { metrics?: unknown } | undefined)?.metrics,
      members: await hits('/analytics/posts', { segment: 'members' }),
      spring: await hits('/analytics/posts', { campaign_id: 'spring' }),
      search: await hits('/referrers/search', { domain: 'google.de' }),
      authors: await hits('/analytics/authors'),
      videos: await hits('/analytics/videos'),
      shares: (await ask('/shares/posts')).map(({ url }) => url),
      conversions: (await ask('/conversions/url', { url: HARBOUR })).length,
      related: (await ask('/related', { url: HARBOUR })).map(({ url }) => url),
      hidden: [...(await room.deps.exclusions.of(SITE.id))],
      history,
      partners: (await room.deps.store.partners.sites('agency')).map(({ site }) => site),
    };
  } finally {
    await room.close();
  }
}

const HARBOUR = 'https://kept.example/harbour';

/** By the rows that are recorded. */
const EXPECTED = {
  site: SITE,
  posts: [`${HARBOUR} 3`, 'https://kept.example/ferry 1'],
  harbour: { views: 3, visitors: 2, visitors_new: 2, engaged_minutes: 0.25 },
  members: [`${HARBOUR} 1`],
  spring: [`${HARBOUR} 1`],
  search: ['google 1'],
  authors: ['Ann 3', 'Bob 1'],
  videos: ['https://kept.example/film 1'],
  shares: [HARBOUR],
  conversions: 1,
  related: ['https://kept.example/ferry'],
  hidden: ['https://kept.example/hidden'],
  history: { urls: ['https://kept.example/ferry'], uuid: 'reader' },
  partners: ['kept.example'],
};

describe.each(versions)('a database of version %i', (version) => {
  beforeEach(() => within((engine) => createRecorded(engine, version)));

  test('opens, and answers what it answered', async () => {
    expect(await answers()).toEqual(EXPECTED);
  });

  test('has the tables of a new one then', async () => {
    await open();
    const upgraded = await within(definitionsOf);
    place.remove();
    place = scratch();
    await open();
    expect(upgraded).toEqual(await within(definitionsOf));
  });
});

describe('a database of a development version, before the first release,', () => {
  const serve = ['serve', '--port', '0'];
  test.each([
    {
      made: 'by numbered steps',
      by: ['DROP TABLE schema_version', 'ALTER TABLE sites DROP COLUMN dials'],
      missing: 'sites.dials)',
      words: serve,
    },
    {
      made: 'without a column',
      by: ['ALTER TABLE sites DROP COLUMN dials'],
      missing: 'sites.dials)',
      words: ['migrate', '--plan'],
    },
    { made: 'without a table', by: ['DROP TABLE crawl_queue'], missing: 'crawl_queue)', words: serve },
  ])('made $made, is refused with a way out, and not changed', async ({ by, missing, words }) => {
    const before = await within(async (engine) => {
      await createRecorded(engine, VERSION);
      for (const sql of by) await engine.command(sql);
      return await definitionsOf(engine);
    });
    const { code, stdout, stderr } = await runCommand([...words, '--data', place.dir]);
    expect({ code, said: stdout + stderr }).toEqual({
      code: 1,
      said: expect.stringContaining(`before the first release (it has no ${missing}`),
    });
    expect(await within(definitionsOf)).toEqual(before);
  });
});

test('a creation that was interrupted continues with the next start', async () => {
  const statements = createStatements(SCHEMA.tables);
  await within(async (engine) => {
    for (const sql of statements.slice(0, statements.length / 2)) await engine.command(sql);
  });
  await open();
  const continued = await within(definitionsOf);
  expect(await within(versionsOf)).toEqual([{ version: VERSION }]);
  place.remove();
  place = scratch();
  await open();
  expect(continued).toEqual(await within(definitionsOf));
});

describe('an upgrade', () => {
  const TITLES = ['The ferry', 'The film', 'The harbour'].map((text) => ({ text }));
  const [first, second] = [VERSION + 1, VERSION + 2];

  beforeEach(() => within((engine) => createRecorded(engine, VERSION)));

  test('is planned, and done once', async () => {
    await within(async (engine) => {
      expect(await planUpgrade(engine, laterSchema)).toEqual([
        { version: first, name: 'a colour', statements: 1 },
        { version: second, name: 'notes of titles', statements: 2 },
      ]);
      for (let time = 0; time < 2; time++) await upgrade(engine, context, laterSchema);
      expect(await planUpgrade(engine, laterSchema)).toEqual([]);
      expect(await versionsOf(engine)).toEqual([{ version: VERSION }, { version: first }, { version: second }]);
      expect(await engine.rows('SELECT DISTINCT colour FROM posts')).toEqual([{ colour: 'red' }]);
      expect(await engine.rows('SELECT text FROM notes ORDER BY text')).toEqual(TITLES);
    });
    await expect(open()).rejects.toMatchObject({ name: 'NewerSchemaError' });
  });

  test('that was interrupted at any statement continues there', async () => {
    await within(async (engine) => {
      let left = 0;
      const failing: Engine = {
        ...engine,
        command: async (...statement) => {
          if (left-- === 0) throw new Error('the power failed');
          await engine.command(...statement);
        },
      };
      let attempts = 0;
      for (let isDone = false; !isDone; attempts++) {
        left = attempts;
        isDone = await upgrade(failing, context, laterSchema).then(
          () => true,
          () => false,
        );
      }
      expect(attempts).toBeGreaterThan(3);
      expect(await versionsOf(engine)).toEqual([{ version: VERSION }, { version: first }, { version: second }]);
      expect(await engine.rows('SELECT text FROM notes FINAL ORDER BY text')).toEqual(TITLES);
    });
  });
});
