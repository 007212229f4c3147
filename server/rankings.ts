// Asks the store for a page of a ranked list and describes what it holds. Compiling is traffic/'s work, running the store's.
import type { ListedPost } from './posts/toPostRecord.ts';
import type { TrafficStore } from './storage/store.ts';
import { type Counts, namesShown, toMetrics } from './traffic/metrics.ts';
import type { TrafficRow } from './traffic/query.ts';
import { compileRank, type RankQuestion } from './traffic/rank.ts';
import { compileRecords, toListedPost } from './traffic/records.ts';

export interface Ranked {
  /** Canonical URL, or the name of an author, section or tag. */
  name: string;
  /** Page views. */
  hits: number;
  metrics: Record<string, number>;
}

export interface RankedPage<T> {
  records: T[];
  /** Whether records follow. */
  more: boolean;
}

/** Records in order, with the metrics the sort shows. */
export async function rank(store: TrafficStore, question: RankQuestion): Promise<RankedPage<Ranked>> {
  const rows = await store.run(compileRank(question));
  const shown = namesShown(question.sort);
  const records = rows.slice(0, question.limit).map((row) => toRanked(row, shown));
  return { records, more: rows.length > question.limit };
}

/** A ranked list of posts, each with what is known about it. */
export async function rankPosts(
  store: TrafficStore,
  question: RankQuestion,
): Promise<RankedPage<Ranked & { post: ListedPost }>> {
  const { records, more } = await rank(store, question);
  if (records.length === 0) return { records: [], more };
  const urls = records.map((record) => record.name);
  const rows = await store.run(compileRecords(question.scope.site, urls));
  const posts = new Map(rows.map((row) => [String(row.url), toListedPost(row)]));
  return {
    // A post that was removed between the two statements is left out.
    records: records.flatMap((record) => {
      const post = posts.get(record.name);
      return post ? [{ ...record, post }] : [];
    }),
    more,
  };
}

function toRanked(row: TrafficRow, shown: ReturnType<typeof namesShown>): Ranked {
  const { name, ...columns } = row;
  const counts: Counts = Object.fromEntries(Object.entries(columns).map(([column, value]) => [column, Number(value)]));
  return { name: String(name), hits: counts.views ?? 0, metrics: toMetrics(shown, counts) };
}
