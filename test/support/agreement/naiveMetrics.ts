// The metrics of the interface from what was counted by hand: names, definitions, decimals, and what stands beside each.

/** Every name a list can be sorted by. */
export const SORTS = [
  'views',
  'mobile_views',
  'tablet_views',
  'desktop_views',
  'visitors',
  'visitors_new',
  'visitors_returning',
  'engaged_minutes',
  'avg_engaged',
  'avg_engaged_new',
  'avg_engaged_returning',
  'social_interactions',
  'fb_interactions',
  'tw_interactions',
  'li_interactions',
  'pi_interactions',
  'social_referrals',
  'fb_referrals',
  'tw_referrals',
  'li_referrals',
  'pi_referrals',
  'search_refs',
  'recirculation_rate',
] as const;

export type NaiveSort = (typeof SORTS)[number];

export interface Tally {
  counts: Record<string, number>;
  visitors: Set<string>;
  fresh: Set<string>;
  returning: Set<string>;
}

const NETWORKS = ['fb', 'tw', 'li', 'pi'];
const INPUTS: Partial<Record<NaiveSort, readonly string[]>> = {
  avg_engaged: ['engaged_minutes', 'views', 'visitors'],
  avg_engaged_new: ['visitors_new'],
  avg_engaged_returning: ['visitors_returning'],
  social_interactions: NETWORKS.map((network) => `${network}_interactions`),
  social_referrals: NETWORKS.map((network) => `${network}_referrals`),
  recirculation_rate: ['views'],
};

/** The metric a list is sorted by, then its inputs, then what is asked for beside them. */
export const namesBeside = (sort: NaiveSort, beside: readonly string[] = []): string[] => [
  ...new Set([sort, ...(INPUTS[sort] ?? []), ...beside]),
];

/** The `metrics` of a record. */
export function metricsOf(sort: NaiveSort, tally: Tally, beside: readonly string[] = []): Record<string, number> {
  return Object.fromEntries(namesBeside(sort, beside).map((name) => [name, metric(name as NaiveSort, tally)]));
}

function metric(name: NaiveSort, tally: Tally): number {
  const value = unrounded(name, tally);
  return decimals(name.startsWith('avg_') || name === 'engaged_minutes' ? value / 60 : value, 3);
}

export const decimals = (value: number, places: number): number => Math.round(value * 10 ** places) / 10 ** places;

/** What records are ordered by, before anything is rounded: for times it is seconds. */
export function unrounded(sort: NaiveSort, { counts, visitors, fresh, returning }: Tally): number {
  const sum = (kind: string) => NETWORKS.reduce((total, network) => total + (counts[`${network}_${kind}`] ?? 0), 0);
  switch (sort) {
    case 'visitors':
      return visitors.size;
    case 'visitors_new':
      return fresh.size;
    case 'visitors_returning':
      return returning.size;
    case 'engaged_minutes':
      return counts.seconds ?? 0;
    case 'avg_engaged':
      return ratio(counts.seconds, visitors.size);
    case 'avg_engaged_new':
      return ratio(counts.seconds_new, fresh.size);
    case 'avg_engaged_returning':
      return ratio(counts.seconds_returning, returning.size);
    case 'recirculation_rate':
      return Math.min(ratio(counts.recirculated, counts.views ?? 0), 1);
    case 'social_interactions':
      return sum('interactions');
    case 'social_referrals':
      return counts.social_views ?? 0;
    case 'search_refs':
      return counts.search_views ?? 0;
    default:
      return counts[sort] ?? 0;
  }
}

const ratio = (of: number | undefined, by: number): number => (by === 0 ? 0 : (of ?? 0) / by);

/** Names are ordered by their bytes, as the interface orders ties. */
export const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
