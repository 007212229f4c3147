// An overview of all sites, for the operator: two queries for any number of sites, shared by all requests within
// seconds, and one for the posts of the sites that are shown.
import type { Deps } from '../context.ts';
import {
  type IndexState,
  type OperatorSite,
  type OperatorSitesAnswer,
  SITES_ON_PAGE,
  type SiteOrder,
} from '../contract/operator.ts';
import { HARMLESS_DROPS } from '../contract/setUp.ts';
import type { Site } from '../sites/site.ts';
import { zoneName } from '../sites/zoneName.ts';
import type { ActiveDay } from '../storage/siteActivity.ts';
import { dayOf } from '../traffic/zone.ts';
import { createLookupCache } from './lookupCache.ts';

export interface Looked {
  /** A part of a Site ID, of a domain or of a partner's name; "" for all. */
  find: string;
  sort: SiteOrder;
  /** From 1; beyond the last one: the last one. */
  page: number;
}

export interface SiteOverview {
  /** @param now Epoch milliseconds. */
  look(asked: Looked, now: number): Promise<OperatorSitesAnswer>;
}

type Row = Omit<OperatorSite, 'posts'>;

interface Stored {
  days: ReadonlyMap<string, readonly ActiveDay[]>;
  partners: ReadonlyMap<string, string>;
}

type Options = Pick<Deps, 'store' | 'sites' | 'partners' | 'ingest' | 'library' | 'now' | 'clock'>;

const ORDERS: Readonly<Record<SiteOrder, (a: Row, b: Row) => number>> = {
  views: (a, b) => b.views_today - a.views_today || b.views_hour - a.views_hour,
  refused: (a, b) => b.refused - a.refused,
  silent: (a, b) => timeOf(a) - timeOf(b),
  // As the directory has them.
  name: () => 0,
};

const timeOf = ({ last_view }: Row): number => (last_view === null ? 0 : Date.parse(last_view));

export function createSiteOverview(deps: Options): SiteOverview {
  const { store, sites, ingest, library, now, clock = now } = deps;

  const stored = createLookupCache(
    async (): Promise<Stored> => {
      const [days, makers] = await Promise.all([store.siteActivity.read(now()), store.partners.makers(sites.list())]);
      const known = [...makers].filter(([, partner]) => deps.partners.find(partner) !== undefined);
      return { days: bySite(days), partners: new Map(known) };
    },
    { clock },
  );

  function toRow(site: Site, stored: Stored & { loading: ReadonlyMap<string, number>; at: number }): Row {
    const days = stored.days.get(site.id) ?? [];
    const today = dayOf(stored.at, site.timezone);
    const last = Math.max(0, ...days.map(({ lastView }) => lastView));
    const drops = ingest.recentDrops(site.id).filter(({ reason }) => !HARMLESS_DROPS.includes(reason));
    return {
      site: site.id,
      timezone: zoneName(site.timezone),
      views_today: days.find(({ day }) => day === today)?.views ?? 0,
      views_hour: days.reduce((sum, { lastHour }) => sum + lastHour, 0),
      last_view: last === 0 ? null : new Date(last).toISOString(),
      refused: drops.reduce((sum, { count }) => sum + count, 0),
      refused_as: drops[0]?.reason ?? null,
      ...indexOf(site, stored.loading),
      partner: stored.partners.get(site.id) ?? null,
    };
  }

  function indexOf({ id }: Site, loading: ReadonlyMap<string, number>): { index: IndexState; loaded: number | null } {
    const progress = loading.get(id);
    if (progress !== undefined) return { index: 'loading', loaded: progress };
    return { index: library.isLoaded(id) ? 'loaded' : 'unloaded', loaded: null };
  }

  return {
    async look({ find, sort, page }, at) {
      const all = sites.list();
      const known = (await stored.get('all'))!;
      const loading = new Map<string, number>(library.loading().map(({ site, progress }) => [site, progress]));
      const word = find.trim().toLowerCase();
      const rows = all
        .filter((site) => isFound(site, word, known.partners.get(site.id)))
        .map((site) => toRow(site, { ...known, loading, at }))
        .sort(ORDERS[sort]);
      const pages = Math.max(1, Math.ceil(rows.length / SITES_ON_PAGE));
      const shown = Math.min(page, pages);
      const onPage = rows.slice((shown - 1) * SITES_ON_PAGE, shown * SITES_ON_PAGE);
      const posts = await store.posts.counts(onPage.map(({ site }) => site as Site['id']));
      return {
        data: onPage.map((row) => ({ ...row, posts: posts.get(row.site) ?? 0 })),
        sites: all.length,
        found: rows.length,
        page: shown,
        pages,
        shared: store.isShared(),
        now: new Date(at).toISOString(),
      };
    },
  };
}

function bySite(days: readonly ActiveDay[]): Map<string, ActiveDay[]> {
  const found = new Map<string, ActiveDay[]>();
  for (const day of days) found.set(day.site, [...(found.get(day.site) ?? []), day]);
  return found;
}

const isFound = ({ id, domains }: Site, word: string, partner = ''): boolean =>
  [id, partner, ...domains].some((name) => name.includes(word));
