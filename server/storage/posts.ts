// Posts and their other addresses as rows: the newest version of each counts.
import { type Post, type PostCard, toCard } from '../posts/post.ts';
import type { SiteId } from '../sites/site.ts';
import { inBackground } from './background.ts';
import type { Engine } from './engine.ts';
import { lastRow, type PostRow, toColumns, toPost } from './postRows.ts';
import { recentPosts } from './recentPosts.ts';
import type { PostChanges, PostStore } from './store.ts';

const COLUMNS = `url, page_type, title, image_url, thumb_url, pub_date, section, authors, tags, full_content, word_count,
  language, duration, post_id, video_platform, metadata, alternatives, sent, gone_at, updated_at`;

const CARD_COLUMNS = COLUMNS.replace('full_content', "'' AS full_content");

/** Posts of one batch of `stream`: a megabyte of text; and of `cards`, which have none. */
const STREAM_BATCH = 250;
const CARDS_BATCH = 500;

/** What a batch of `lines` aims at, and how many posts it is then: those of a megabyte each come a few at a time. */
const LINES_BYTES = 4 << 20;
const FEWEST_LINES = 16;
const MOST_LINES = 1000;

/** Posts are read quicker than they are taken in: several threads would only take the processor from that. */
const UNHURRIED = 'SETTINGS max_threads = 1';

/** URLs asked for in one statement. */
const GET_BATCH = 500;

/**
 * Page by page along the table's own order: each page is one short read, and none is skipped when posts change
 * meanwhile.
 */
const page = (
  columns: string,
  among = '',
) => `SELECT ${columns} FROM posts FINAL WHERE site = {site:String} AND url > {after:String} ${among}
  ORDER BY url LIMIT {limit:UInt32} ${UNHURRIED}`;

export function createPostStore(engine: Engine): PostStore {
  const jobs = inBackground(engine);

  return {
    async get(site, urls) {
      const found = new Map<string, PostRow>();
      for (let at = 0; at < urls.length; at += GET_BATCH) {
        for (const row of await read(engine, site, urls.slice(at, at + GET_BATCH))) found.set(row.url, row);
      }
      return urls.flatMap((url) => {
        const row = found.get(url);
        return row ? [toPost(row)] : [];
      });
    },

    async withIds(site, ids) {
      const sql = `SELECT post_id AS id, argMax(url, updated_at) AS canonical FROM posts FINAL
        WHERE site = {site:String} AND post_id IN {ids:Array(String)} GROUP BY post_id`;
      const rows = await engine.rows<{ id: string; canonical: string }>(sql, { site, ids });
      return new Map(rows.map((row) => [row.id, row.canonical]));
    },

    async save(site, posts) {
      await engine.insert(
        'posts',
        posts.map((post) => ({ ...toColumns(post), site, deleted: 0 })),
      );
    },

    async remove(site, urls, now) {
      await engine.insert(
        'posts',
        urls.map((url) => ({ site, url, page_type: 'post', updated_at: now, deleted: 1 })),
      );
    },

    ...aliasRows(engine),

    changes: (range) => readChanges(jobs, range),

    stream: (site) => pages(jobs, site, { columns: COLUMNS, limit: STREAM_BATCH }),

    lines: (site, since) => linePages(engine, site, { columns: COLUMNS, limit: STREAM_BATCH, since }),

    cardLines: (site) => linePages(engine, site, { columns: CARD_COLUMNS, limit: CARDS_BATCH }),

    async *cards(site) {
      for await (const posts of pages(jobs, site, { columns: CARD_COLUMNS, limit: CARDS_BATCH }))
        yield posts.map(toCard);
    },

    async recent(site, filters, limit) {
      const { sql, params } = recentPosts(CARD_COLUMNS, { site, filters, limit });
      return (await engine.rows<PostRow>(sql, params)).map((row) => toCard(toPost(row)));
    },

    tested: (site, range) => readTested(jobs, site, range?.endedSince),

    async sitesTested() {
      const sql = `SELECT DISTINCT toString(site) AS name FROM posts WHERE alternatives != ''`;
      return (await jobs.rows<{ name: SiteId }>(sql)).map(({ name }) => name);
    },

    ...counting(jobs),

    gone: () => readGone(jobs),
  };
}

async function readGone(jobs: Engine): Promise<{ site: string; posts: number }[]> {
  const sql = `SELECT toString(site) AS name, toUInt32(count()) AS posts FROM posts FINAL
    WHERE page_type = 'post' AND gone_at > 0 GROUP BY name ORDER BY name`;
  const rows = await jobs.rows<{ name: string; posts: number }>(sql);
  return rows.map(({ name, posts }) => ({ site: name, posts }));
}

interface Paging {
  columns: string;
  /** Posts of a page; of the first one, where pages are sized by their bytes. */
  limit: number;
  /** Epoch milliseconds: posts that were published earlier are left out. Default: none are. */
  since?: number | undefined;
}

// Whatever version of a post counts, its address is the same: looked for first, it spares reading the texts of the
// posts stored beside it.
async function read(engine: Engine, site: SiteId, urls: readonly string[]): Promise<PostRow[]> {
  const sql = `SELECT ${COLUMNS} FROM posts FINAL WHERE site = {site:String} AND url IN {urls:Array(String)}
    SETTINGS optimize_move_to_prewhere_if_final = 1`;
  return await engine.rows<PostRow>(sql, { site, urls });
}

async function* pages(jobs: Engine, site: SiteId, { columns, limit }: Paging): AsyncGenerator<Post[]> {
  for (let after = ''; ; ) {
    const rows = await jobs.rows<PostRow>(page(columns), { site, after, limit });
    if (rows.length > 0) yield rows.map(toPost);
    if (rows.length < limit) return;
    after = rows.at(-1)!.url;
  }
}

/**
 * These are not parsed here, so pages are as large as is worth while: a page costs the engine more than the posts on
 * it.
 */
async function* linePages(engine: Engine, site: SiteId, { columns, limit: first, since }: Paging) {
  const sql = since === undefined ? page(columns) : page(columns, 'AND pub_date >= {since:Int64}');
  for (let after = '', limit = first; ; ) {
    const lines = await engine.lines(sql, { site, after, limit, ...(since !== undefined && { since }) });
    const last = lastRow(lines);
    if (!last) return;
    yield lines;
    after = last.url;
    limit = Math.max(FEWEST_LINES, Math.min(MOST_LINES, Math.round((limit * LINES_BYTES) / lines.length)));
  }
}

const counting = (jobs: Engine): Pick<PostStore, 'count' | 'counts' | 'newestSince'> => ({
  async count(site) {
    const [row] = await jobs.rows<{ posts: number }>(
      `SELECT toUInt32(count()) AS posts FROM posts FINAL WHERE site = {site:String}`,
      { site },
    );
    return row!.posts;
  },

  async counts(sites) {
    const rows = await jobs.rows<{ name: string; posts: number }>(
      `SELECT toString(site) AS name, toUInt32(count()) AS posts FROM posts FINAL WHERE site IN {sites:Array(String)} GROUP BY name`,
      { sites },
    );
    return new Map(rows.map(({ name, posts }) => [name, posts]));
  },

  async newestSince(site, most) {
    const [row] = await jobs.rows<{ since: number | null }>(
      `SELECT min(pub_date) AS since FROM (SELECT pub_date FROM posts FINAL
       WHERE site = {site:String} AND pub_date IS NOT NULL ORDER BY pub_date DESC LIMIT {most:UInt32})`,
      { site, most },
    );
    return row?.since ?? undefined;
  },
});

const aliasRows = (engine: Engine): Pick<PostStore, 'alias' | 'aliases' | 'aliasesOf'> => ({
  async alias(site, canonical, aliases, now) {
    const sql = `SELECT alias, canonical, updated_at FROM aliases FINAL
      WHERE site = {site:String} AND (canonical IN {aliases:Array(String)} OR alias IN {aliases:Array(String)})`;
    const stored = await engine.rows<{ alias: string; canonical: string; updated_at: number }>(sql, { site, aliases });
    const known = new Map(stored.map((one) => [one.alias, one]));
    const led = stored.filter((one) => aliases.includes(one.canonical));
    const all = [...new Set([...aliases, ...led.map(({ alias }) => alias)])];
    // The time of an alias is that of its last change, and later than the one before: a clock may have been set back.
    const changed = all.filter((alias) => known.get(alias)?.canonical !== canonical);
    await engine.insert(
      'aliases',
      changed.map((alias) => {
        const updated_at = Math.max(now, (known.get(alias)?.updated_at ?? 0) + 1);
        return { site, alias, canonical, updated_at, deleted: 0 };
      }),
    );
    return all;
  },

  async aliases(site, urls) {
    const among = urls === undefined ? '' : 'AND alias IN {urls:Array(String)}';
    const sql = `SELECT alias, canonical FROM aliases FINAL WHERE site = {site:String} ${among}`;
    const rows = await engine.rows<{ alias: string; canonical: string }>(sql, { site, ...(urls && { urls }) });
    return new Map(rows.map((row) => [row.alias, row.canonical]));
  },

  async aliasesOf(site, canonical, limit) {
    const sql = `SELECT alias FROM aliases FINAL WHERE site = {site:String} AND canonical = {canonical:String}
      AND alias != canonical ORDER BY alias LIMIT {limit:UInt32}`;
    return (await engine.rows<{ alias: string }>(sql, { site, canonical, limit })).map(({ alias }) => alias);
  },
});

// The column is empty nearly everywhere: which version of a post counts is asked for those few only.
async function readTested(jobs: Engine, site: SiteId, since = 0): Promise<PostCard[]> {
  const isWanted = `alternatives != ''${since > 0 ? ` AND ${ENDED_SINCE}` : ''}`;
  const sql = `SELECT ${CARD_COLUMNS} FROM posts FINAL WHERE site = {site:String} AND ${isWanted}
    AND url IN (SELECT url FROM posts WHERE site = {site:String} AND ${isWanted}) ORDER BY url`;
  return (await jobs.rows<PostRow>(sql, { site, since })).map((row) => toCard(toPost(row)));
}

/** The test runs, or ended at or after a time. */
const ENDED_SINCE = `(NOT JSONHas(alternatives, 'end') OR JSONExtractUInt(alternatives, 'end', 'at') >= {since:UInt64})`;

async function readChanges(jobs: Engine, range: Parameters<PostStore['changes']>[0]): Promise<PostChanges> {
  const [posts, aliases] = await Promise.all([
    jobs.rows<PostChanges['posts'][number]>(
      `SELECT toString(site) AS site, url, max(updated_at) AS updatedAt FROM posts
       WHERE site IN {sites:Array(String)} AND updated_at >= {since:Int64} GROUP BY site, url`,
      range,
    ),
    jobs.rows<PostChanges['aliases'][number]>(
      `SELECT toString(site) AS site, alias, canonical FROM aliases FINAL
       WHERE site IN {sites:Array(String)} AND updated_at >= {since:Int64}`,
      range,
    ),
  ]);
  return { posts, aliases };
}
