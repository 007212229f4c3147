// The content audit of a site: posts with missing metadata, orphan posts, posts whose page is gone, crawl failures.
import { type ContentAuditRecord, NEEDED_FIELDS, ORPHAN_DAYS } from '../contract/contentAudit.ts';
import type { Store } from '../storage/store.ts';
import { compileGone, compileLacking, compileLackingPosts, compileOrphans } from '../traffic/contentAudit.ts';
import type { Scope } from '../traffic/scope.ts';

interface Options {
  store: Pick<Store, 'traffic' | 'crawlQueue'>;
}

/** @param of.now Epoch milliseconds. */
export async function readContentAudit(
  { store }: Options,
  { scope, now }: { scope: Pick<Scope, 'site' | 'zone' | 'excluded'>; now: number },
): Promise<ContentAuditRecord> {
  const { traffic } = store;
  const [[counts = {}], lacking, orphans, gone, failures] = await Promise.all([
    traffic.run(compileLacking(scope)),
    traffic.run(compileLackingPosts(scope)),
    traffic.run(compileOrphans(scope, now)),
    traffic.run(compileGone(scope)),
    store.crawlQueue.failures(scope.site, scope.excluded),
  ]);
  return {
    posts: Number(counts.posts ?? 0),
    lacking: NEEDED_FIELDS.map((field) => ({
      field,
      count: Number(counts[`lacks_${field}`] ?? 0),
      posts: lacking.filter((row) => row.field === field).map(toPost),
    })),
    orphans: { days: ORPHAN_DAYS, count: Number(orphans[0]?.orphans ?? 0), posts: orphans.map(toPost) },
    gone: { count: Number(gone[0]?.gone ?? 0), posts: gone.map(toPost) },
    crawl_failures: failures.map(({ failure, count, pages }) => ({
      failure,
      count,
      pages: pages.map(({ url, triedAt, again }) => ({ url, tried: new Date(triedAt).toISOString(), again })),
    })),
  };
}

const toPost = ({ url, title }: Record<string, unknown>) => ({ url: String(url), title: String(title) });
