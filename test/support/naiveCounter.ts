// The same questions answered with arrays and loops, from the definitions of the interface alone: what the engine must agree with.
import type { EventRow } from '../../server/ingest/eventRow.ts';
import type { Post } from '../../server/posts/post.ts';
import type { World } from './worlds.ts';

/** What is asked, in the words of the interface. */
export interface NaiveQuestion {
  /** What each record is. */
  list: 'post' | 'author' | 'section' | 'tag' | 'channel' | 'segment' | 'campaign' | 'referrer';
  within(event: EventRow): boolean;
  sort: string;
  /** Conditions on the event. */
  event?: (event: EventRow) => boolean;
  /** Conditions on the post; with one, pages that are no posts do not count. */
  post?: ((post: Post) => boolean) | undefined;
  /** Values by which an event is listed, for lists that are not made of posts. */
  values?: (event: EventRow) => string[];
  /** Whether records without the metric are left out. */
  nonZero?: boolean;
}

export interface NaiveRecord {
  name: string;
  hits: number;
  value: number;
}

interface Tally {
  counts: Record<string, number>;
  visitors: Set<string>;
  fresh: Set<string>;
  returning: Set<string>;
}

export function countNaively(world: World, question: NaiveQuestion): NaiveRecord[] {
  const tallies = new Map<string, Tally>();
  const at = (name: string): Tally => {
    const tally = tallies.get(name) ?? { counts: {}, visitors: new Set(), fresh: new Set(), returning: new Set() };
    tallies.set(name, tally);
    return tally;
  };
  const add = (name: string, measure: string, amount = 1) => {
    const { counts } = at(name);
    counts[measure] = (counts[measure] ?? 0) + amount;
  };
  const isNew = newcomers(world, question.within);

  for (const event of world.events) {
    if (!question.within(event) || question.event?.(event) === false) continue;
    for (const name of namesOf(world, question, event, event.url)) {
      for (const [measure, amount] of measuresOf(event, isNew(event.visitor))) add(name, measure, amount);
      if (event.action === 'pageview' && event.visitor !== '0') {
        at(name).visitors.add(event.visitor);
        (isNew(event.visitor) ? at(name).fresh : at(name).returning).add(event.visitor);
      }
    }
    const led = event.action === 'pageview' && event.referrerType === 'internal' && event.referrerUrl !== event.url;
    if (led && event.referrerUrl !== '') {
      for (const name of namesOf(world, question, event, event.referrerUrl)) add(name, 'recirculated');
    }
  }

  return [...tallies]
    .map(([name, tally]) => ({ name, hits: tally.counts.views ?? 0, value: metricOf(question.sort, tally) }))
    .filter(({ hits, value }) => value > 0 || (!question.nonZero && hits > 0))
    .sort((a, b) => b.value - a.value || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
    .map((record) => ({ ...record, value: Math.round(record.value * 1000) / 1000 }));
}

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
function namesOf(world: World, question: NaiveQuestion, event: EventRow, page: string): string[] {
  const url = world.aliases.get(page) ?? page;
  if (world.excluded.has(url)) return [];
  const post = world.posts.find((known) => known.url === url && known.pageType === 'post');
  if (question.values) return question.post && !(post && question.post(post)) ? [] : question.values(event);
  if (!post || question.post?.(post) === false) return [];
  switch (question.list) {
    case 'author':
      return [...new Set(post.authors)];
    case 'tag':
      return [...new Set(post.tags)];
    case 'section':
      return post.section === '' ? [] : [post.section];
    default:
      return [post.url];
  }
}

function measuresOf(event: EventRow, isNew: boolean): [string, number][] {
  const networks: Record<string, string> = { facebook: 'fb', twitter: 'tw', linkedin: 'li', pinterest: 'pi' };
  switch (event.action) {
    case 'pageview': {
      const network = event.referrerType === 'social' ? networks[event.referrer] : undefined;
      const referral: [string, number][] =
        network === undefined
          ? []
          : [
              [`${network}_referrals`, 1],
              ['social_referrals', 1],
            ];
      return [['views', 1], [`${event.device}_views`, 1], ...referral];
    }
    case 'heartbeat':
      if (event.visitor === '0') return [['seconds', event.seconds]];
      return [
        ['seconds', event.seconds],
        [isNew ? 'seconds_new' : 'seconds_returning', event.seconds],
      ];
    case 'share':
      return [
        [`${event.network}_interactions`, 1],
        ['social_interactions', 1],
      ];
    default:
      return [];
  }
}

function metricOf(sort: string, { counts, visitors, fresh, returning }: Tally): number {
  const per = (seconds: number | undefined, people: Set<string>) =>
    people.size === 0 ? 0 : (seconds ?? 0) / 60 / people.size;
  switch (sort) {
    case 'visitors':
      return visitors.size;
    case 'visitors_new':
      return fresh.size;
    case 'visitors_returning':
      return returning.size;
    case 'engaged_minutes':
      return (counts.seconds ?? 0) / 60;
    case 'avg_engaged':
      return per(counts.seconds, visitors);
    case 'avg_engaged_new':
      return per(counts.seconds_new, fresh);
    case 'avg_engaged_returning':
      return per(counts.seconds_returning, returning);
    case 'recirculation_rate':
      return counts.views ? Math.min((counts.recirculated ?? 0) / counts.views, 1) : 0;
    default:
      return counts[sort] ?? 0;
  }
}
