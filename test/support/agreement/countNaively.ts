// Lists of traffic with arrays and loops, from the definitions of the interface alone: what the engine must agree with.
import type { EventRow } from '../../../server/ingest/eventRow.ts';
import type { PageType, Post } from '../../../server/posts/post.ts';
import type { World } from '../worlds.ts';
import { compareBytes, metricsOf, type NaiveSort, type Tally, unrounded } from './naiveMetrics.ts';

/** What a record is called; a referrer has a type too. */
export interface Named {
  name: string;
  type?: string;
}

/** What is asked, in the words of the interface. */
export interface NaiveQuestion {
  /** What each record is: made of posts, or of what events say. */
  list: 'post' | 'author' | 'section' | 'tag' | ((event: EventRow) => Named[]);
  /** Epoch milliseconds, both inclusive. */
  period: { start: number; end: number };
  sort: NaiveSort;
  /** Metrics beside those of the sort. */
  beside?: readonly NaiveSort[];
  /** Conditions on the event. */
  event?: ((event: EventRow) => boolean) | undefined;
  /** Conditions on the post; with one, pages that are no posts do not count. */
  post?: ((post: Post) => boolean) | undefined;
  /** Conditions on the canonical URL. */
  page?: (url: string) => boolean;
  /** Pages of which types. Default: posts. */
  types?: readonly PageType[];
  /** Whether records without the metric are left out. */
  nonZero?: boolean;
}

export interface NaiveRecord extends Named {
  hits: number;
  metrics: Record<string, number>;
}

export function countNaively(world: World, question: NaiveQuestion): NaiveRecord[] {
  const { start, end } = question.period;
  const within = ({ time }: EventRow) => time >= start && time <= end;
  const isNew = newcomers(world, within);
  const records = new Map<string, { named: Named; tally: Tally }>();
  const at = (named: Named): Tally => {
    const key = JSON.stringify(named);
    const record = records.get(key) ?? { named, tally: emptyTally() };
    records.set(key, record);
    return record.tally;
  };
  const add = ({ counts }: Tally, measure: string, amount: number) => {
    counts[measure] = (counts[measure] ?? 0) + amount;
  };

  for (const event of world.events) {
    if (!within(event) || question.event?.(event) === false) continue;
    for (const named of namesOf(world, question, event, event.url)) {
      const tally = at(named);
      for (const [measure, amount] of measuresOf(event, isNew(event.visitor))) add(tally, measure, amount);
      if (event.action !== 'pageview' || event.visitor === '0') continue;
      tally.visitors.add(event.visitor);
      (isNew(event.visitor) ? tally.fresh : tally.returning).add(event.visitor);
    }
    const led = event.action === 'pageview' && event.referrerType === 'internal' && event.referrerUrl !== event.url;
    if (!led || event.referrerUrl === '') continue;
    for (const named of namesOf(world, question, event, event.referrerUrl)) add(at(named), 'recirculated', 1);
  }

  return [...records.values()]
    .map(({ named, tally }) => ({
      named,
      tally,
      value: unrounded(question.sort, tally),
      hits: tally.counts.views ?? 0,
    }))
    .filter(
      ({ hits, value, tally }) => value > 0 || (!question.nonZero && (hits > 0 || isCounted(question.sort, tally))),
    )
    .sort((a, b) => b.value - a.value || compareNamed(a.named, b.named))
    .map(({ named, tally, hits }) => ({ ...named, hits, metrics: metricsOf(question.sort, tally, question.beside) }));
}

/** Parts of a quotient that is zero where no visitor was counted. */
const PARTS: Partial<Record<NaiveSort, string>> = {
  avg_engaged: 'seconds',
  avg_engaged_new: 'seconds_new',
  avg_engaged_returning: 'seconds_returning',
  recirculation_rate: 'recirculated',
};

/** Read over the start of a period, a page has heartbeats in it and no view. */
const isCounted = (sort: NaiveSort, { counts }: Tally): boolean => (counts[PARTS[sort] ?? ''] ?? 0) > 0;

export const emptyTally = (): Tally => ({ counts: {}, visitors: new Set(), fresh: new Set(), returning: new Set() });

const compareNamed = (a: Named, b: Named): number =>
  compareBytes(a.name, b.name) || compareBytes(a.type ?? '', b.type ?? '');

/** Visitors whose first view of the site lies within the period. */
function newcomers(world: World, within: (event: EventRow) => boolean): (visitor: string) => boolean {
  const first = new Map<string, EventRow>();
  for (const event of world.events) {
    if (event.action !== 'pageview' || event.visitor === '0') continue;
    const known = first.get(event.visitor);
    if (!known || event.time < known.time) first.set(event.visitor, event);
  }
  return (visitor) => {
    const event = first.get(visitor);
    return event !== undefined && within(event);
  };
}

/** Names under which traffic of a page is listed; none when it does not count. */
function namesOf(world: World, question: NaiveQuestion, event: EventRow, page: string): Named[] {
  const { list, post: passes, types = ['post'] } = question;
  const url = canonicalOf(world, page);
  if (world.excluded.has(url) || question.page?.(url) === false) return [];
  const post = world.posts.find((known) => known.url === url && types.includes(known.pageType));
  if (typeof list === 'function') return passes && !(post && passes(post)) ? [] : list(event);
  if (!post || passes?.(post) === false) return [];
  switch (list) {
    case 'author':
      return [...new Set(post.authors)].map((name) => ({ name }));
    case 'tag':
      return [...new Set(post.tags)].map((name) => ({ name }));
    case 'section':
      return post.section === '' ? [] : [{ name: post.section }];
    case 'post':
      return [{ name: post.url }];
  }
}

export const canonicalOf = ({ aliases }: World, page: string): string => aliases.get(page) ?? page;

const NETWORKS: Record<string, string> = { facebook: 'fb', twitter: 'tw', linkedin: 'li', pinterest: 'pi' };

function measuresOf(event: EventRow, isNew: boolean): [string, number][] {
  switch (event.action) {
    case 'pageview': {
      const network = event.referrerType === 'social' ? NETWORKS[event.referrer] : undefined;
      const referral: [string, number][] = network === undefined ? [] : [[`${network}_referrals`, 1]];
      return [['views', 1], [`${event.device}_views`, 1], [`${event.referrerType}_views`, 1], ...referral];
    }
    case 'heartbeat':
      if (event.visitor === '0') return [['seconds', event.seconds]];
      return [
        ['seconds', event.seconds],
        [isNew ? 'seconds_new' : 'seconds_returning', event.seconds],
      ];
    case 'share':
      return [[`${event.network}_interactions`, 1]];
    default:
      return [];
  }
}
