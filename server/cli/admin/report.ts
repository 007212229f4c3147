// What a running server knows about its own state, for `afterword doctor`.
import { Hono } from 'hono';
import type { Deps } from '../../context.ts';
import type { GoneCounts } from '../../crawl/gonePosts.ts';
import { StoreUnavailableError } from '../../errors.ts';
import type { Forwarding, ForwardingCounts } from '../../http/clientAddress.ts';
import type { Spool, SpoolReport } from '../../ingest/queue/spool.ts';
import type { DropReason } from '../../ingest/types.ts';
import { compareHalves, type Halves } from '../../rankings/readerHalves.ts';
import type { Quotas } from '../../sites/quotas.ts';
import type { QuotaUse } from '../../sites/siteQuotas.ts';
import type { DamagedPart } from '../../storage/checkTables.ts';
import type { ThumbnailOutcome, Thumbnails } from '../../thumbnails/thumbnails.ts';

export interface ServerReport {
  sites: string[];
  /** Sites that answer /search to anyone, while their lists are switched off. */
  searchAlone: string[];
  /** Parts of tables whose rows are in no answer; undefined: the database did not say. */
  setAside: DamagedPart[] | undefined;
  /** Parts of tables whose checksums do not match; undefined: not asked for. */
  damaged: DamagedPart[] | undefined;
  /** Milliseconds a trivial question to the database took; undefined: it did not answer. */
  databaseMs: number | undefined;
  /** Why it did not answer, and which servers are away, where that is known. */
  databaseProblem?: string | undefined;
  /** Epoch milliseconds on the server's clock. */
  now: number;
  /** Events since start. Empty where no server runs. */
  events: { site: string; outcome: 'stored' | DropReason; count: number }[];
  /** As far as they are known. */
  quotas: QuotaUse[];
  /** What of the write-ahead log is not counted. */
  spool: SpoolReport | undefined;
  /**
   * Thumbnails since start, and bytes of them on the disk; `unable`: why none can be made. Undefined where no server
   * runs.
   */
  thumbnails?: { unable?: string | undefined; counts: { outcome: ThumbnailOutcome; count: number }[]; bytes: number };
  /** How the X-Forwarded-For of requests fits --trusted-proxies. Undefined where no server runs. */
  forwarding?: ForwardingCounts | undefined;
  /** Sites whose index is still loading, with how far it is (0 to 1). */
  loading: { site: string; progress: number }[];
  /** Sites with posts that no list shows because their page is gone; undefined: the database did not say. */
  gone: { site: string; posts: number }[] | undefined;
  /** Sites that seem to keep the crawler out, each with a page that it does not find any more. */
  keptOut: GoneCounts['keptOut'];
  /** Two halves of the readers of each site with experiments; none where the database did not say. */
  halves: ({ site: string } & Halves)[];
}

export type ReportDeps = Pick<Deps, 'now' | 'sites' | 'store' | 'library'> & {
  quotas: Pick<Quotas, 'read' | 'uses'>;
  ingest?: Pick<Deps['ingest'], 'counts'>;
  spool?: Spool | undefined;
  thumbnails?: Pick<Thumbnails, 'unable' | 'counts' | 'bytes'>;
  forwarding?: Pick<Forwarding, 'counts'>;
  crawler?: Pick<Deps['crawler'], 'gone'> | undefined;
};

/** @returns Looks at everything; reads the whole database where checksums are asked for. */
export function createReport(deps: ReportDeps): (checksums?: boolean) => Promise<ServerReport> {
  const { now, sites, store, library, quotas, ingest, spool, thumbnails, forwarding, crawler } = deps;

  async function askDatabase(): Promise<Pick<ServerReport, 'databaseMs' | 'databaseProblem'>> {
    const start = performance.now();
    return store.ping().then(
      () => ({ databaseMs: Math.round(performance.now() - start) }),
      (error: unknown) => ({ databaseMs: undefined, databaseProblem: describe(error) }),
    );
  }

  async function halvesOf(): Promise<ServerReport['halves']> {
    const halves: ServerReport['halves'] = [];
    for (const site of sites.list())
      if (site.experiments?.length)
        halves.push({ site: site.id, ...(await compareHalves(store.traffic, site, now())) });
    return halves;
  }

  /** Of the sites there are: rows of one that was removed may stay. */
  const goneOf = async () =>
    (await store.posts.gone()).filter(({ site }) => sites.list().some(({ id }) => id === site));

  return async (checksums = false) => ({
    sites: sites.list().map(({ id }) => id),
    searchAlone: sites
      .list()
      .filter(({ features: { top, recommendations, search } }) => search && !top && !recommendations)
      .map(({ id }) => id),
    setAside: await store.damage.setAside().catch(() => undefined),
    damaged: checksums ? await store.damage.check() : undefined,
    ...(await askDatabase()),
    now: now(),
    events: ingest?.counts() ?? [],
    quotas: await quotas.read().catch(() => quotas.uses()),
    spool: await spool?.report(),
    ...(thumbnails && {
      thumbnails: { unable: thumbnails.unable, counts: thumbnails.counts(), bytes: thumbnails.bytes() },
    }),
    forwarding: forwarding?.counts(),
    loading: library.loading(),
    gone: await goneOf().catch(() => undefined),
    keptOut: crawler?.gone().keptOut ?? [],
    halves: await halvesOf().catch(() => []),
  });
}

export function reportAdmin(deps: ReportDeps): Hono {
  const report = createReport(deps);
  const admin = new Hono();
  admin.get('/report', async (c) => c.json(await report(c.req.query('checksums') !== undefined)));
  return admin;
}

/** For the operator alone, who may know the names of the servers. */
function describe(error: unknown): string | undefined {
  if (!(error instanceof StoreUnavailableError)) return undefined;
  return error.away.length === 0 ? error.message : `${error.message} Away: ${error.away.join(', ')}.`;
}
