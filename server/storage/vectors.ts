// Vectors of posts as rows: the newest version of each counts.

import type { SiteId } from '../sites/site.ts';
import type { PostVector } from '../textindex/embeddings.ts';
import type { Engine } from './engine.ts';
import { nextVersion } from './rowVersion.ts';
import type { VectorStore } from './store.ts';

interface VectorRow {
  url: string;
  /** Base64 of signed bytes. */
  vector: string;
  updated_at: number;
}

/** URLs of one read, and vectors: so few that decoding the bytes does not block the thread. */
const BATCH = 1000;
const VECTORS_BATCH = 250;

export function createVectorStore(engine: Engine): VectorStore {
  async function* urls(site: SiteId): AsyncGenerator<string[]> {
    for (let after = ''; ; ) {
      const rows = await engine.rows<{ url: string }>(
        `SELECT url FROM post_vectors FINAL WHERE site = {site:String} AND url > {after:String}
         ORDER BY url LIMIT ${BATCH}`,
        { site, after },
      );
      if (rows.length > 0) yield rows.map(({ url }) => url);
      if (rows.length < BATCH) return;
      after = rows.at(-1)!.url;
    }
  }

  async function get(site: SiteId, wanted: readonly string[]): Promise<PostVector[]> {
    const found: PostVector[] = [];
    for (let at = 0; at < wanted.length; at += VECTORS_BATCH) {
      const rows = await engine.rows<VectorRow>(
        `SELECT url, vector, updated_at FROM post_vectors FINAL
         WHERE site = {site:String} AND url IN {urls:Array(String)}`,
        { site, urls: wanted.slice(at, at + VECTORS_BATCH) },
      );
      found.push(...rows.map(toVector));
    }
    return found;
  }

  return {
    get,

    nextTime: (site, now) => nextVersion(engine, 'post_vectors', { key: { site }, now }),

    async dimension(site) {
      // A set of vectors is removed before another begins; its rows stay as removed ones of no dimension: the newest
      // row decides.
      const [row] = await engine.rows<{ dimension: number }>(
        `SELECT dimension FROM post_vectors WHERE site = {site:String} ORDER BY updated_at DESC, deleted LIMIT 1`,
        { site },
      );
      return row?.dimension || undefined;
    },

    async save(site, vectors) {
      await engine.insert(
        'post_vectors',
        vectors.map(({ url, vector, updatedAt }) => ({
          site,
          url,
          dimension: vector.length,
          vector: Buffer.from(vector.buffer, vector.byteOffset, vector.length).toString('base64'),
          updated_at: updatedAt,
          deleted: 0,
        })),
      );
    },

    async clear(site, now) {
      for await (const batch of urls(site)) {
        const removed = { dimension: 0, vector: '', updated_at: now, deleted: 1 };
        await engine.insert(
          'post_vectors',
          batch.map((url) => ({ site, url, ...removed })),
        );
      }
    },

    changes: (range) =>
      engine.rows<{ site: SiteId; url: string; updatedAt: number }>(
        `SELECT toString(site) AS site, url, max(updated_at) AS updatedAt FROM post_vectors
         WHERE site IN {sites:Array(String)} AND updated_at >= {since:Int64} GROUP BY site, url`,
        range,
      ),

    async *stream(site) {
      for await (const batch of urls(site)) yield await get(site, batch);
    },
  };
}

function toVector({ url, vector, updated_at }: VectorRow): PostVector {
  return { url, vector: new Int8Array(Buffer.from(vector, 'base64')), updatedAt: updated_at };
}
