// What keeps posts out of lists and figures: fields they lack, nothing that leads to them, pages that could not be
// read.
import { NEEDED_FIELDS, ORPHAN_DAYS, type PostFaultsRecord } from '../contract/postFaults.ts';
import type { Store } from '../storage/store.ts';
import { compileLacking, compileLackingPosts, compileOrphans } from '../traffic/postFaults.ts';
import type { Scope } from '../traffic/scope.ts';

interface Options {
  store: Pick<Store, 'traffic' | 'crawlQueue'>;
}

/** @param of.now Epoch milliseconds. */
export async function readPostFaults(
  { store }: Options,
  { scope, now }: { scope: Pick<Scope, 'site' | 'zone' | 'excluded'>; now: number },
): Promise<PostFaultsRecord> {
  const { traffic } = store;
  const [[counts = {}], lacking, orphans, unread] = await Promise.all([
    traffic.run(compileLacking(scope)),
    traffic.run(compileLackingPosts(scope)),
    traffic.run(compileOrphans(scope, now)),
    store.crawlQueue.unread(scope.site, scope.excluded),
  ]);
  return {
    posts: Number(counts.posts ?? 0),
    lacking: NEEDED_FIELDS.map((field) => ({
      field,
      count: Number(counts[`lacks_${field}`] ?? 0),
      posts: lacking.filter((row) => row.field === field).map(toPost),
    })),
    orphans: { days: ORPHAN_DAYS, count: Number(orphans[0]?.orphans ?? 0), posts: orphans.map(toPost) },
    unread: unread.map(({ failure, count, pages }) => ({
      failure,
      count,
      pages: pages.map(({ url, triedAt, again }) => ({ url, tried: new Date(triedAt).toISOString(), again })),
    })),
  };
}

const toPost = ({ url, title }: Record<string, unknown>) => ({ url: String(url), title: String(title) });
