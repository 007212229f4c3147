// The views of a post by its age, beside those of the posts of its section at the same age.
import { usualOf } from '../alarms/usual.ts';
import type { GrowthRecord } from '../contract/wire.ts';
import { DAY, HOUR } from '../durations.ts';
import type { TrafficStore } from '../storage/store.ts';
import { threeDecimals } from '../threeDecimals.ts';
import { compileAddresses } from '../traffic/countPosts.ts';
import {
  compileDays,
  compileFirstDay,
  compileHours,
  compilePeers,
  GROWTH_DAYS,
  GROWTH_HOURS,
  NO_DAY,
  type PageOfPost,
  type Published,
} from '../traffic/growth.ts';
import { toLocalIso } from '../traffic/intervals.ts';
import { compileFirstKeptDay } from '../traffic/keptEvents.ts';
import type { Scope } from '../traffic/scope.ts';
import { addDays, dayOf, startOfDay } from '../traffic/zone.ts';
import { publicationOf } from './publicationOf.ts';

/** Posts that it takes to say what is typical. */
const FEWEST_PEERS = 5;

export interface GrowthQuestion {
  scope: Pick<Scope, 'site' | 'zone' | 'excluded'>;
  post: { url: string; pubDate: number; section: string };
  /** Epoch milliseconds. */
  now: number;
}

/**
 * By the hour for two days, then by the day; none for a post that was published before the first view of the site was
 * counted, or is still to be published. By the day alone where the events of its first days were removed.
 */
export async function readGrowth(store: TrafficStore, { scope, post, now }: GrowthQuestion): Promise<GrowthRecord[]> {
  const [[first], [kept]] = await Promise.all([
    store.run(compileFirstDay(scope)),
    store.run(compileFirstKeptDay(scope)),
  ]);
  const { zone } = scope;
  const { section, url, pubDate } = post;
  const firstDay = String(first?.day ?? NO_DAY);
  const since = startOfDay(firstDay, zone);
  const at = publicationOf(pubDate, zone);
  if (firstDay === NO_DAY || at < since || at > now) return [];
  // They have all been there as long as the post, so that each says something of every age of it.
  const to = now - Math.min(now - at, GROWTH_DAYS * DAY);
  const asked = { scope, url, section: section === '' ? undefined : section, from: since, to };
  const peers = (await store.run(compilePeers(asked)))
    .map((row): Published => ({ url: String(row.url), at: publicationOf(Number(row.at), zone) }))
    .filter((peer) => peer.at >= since && peer.at <= to);
  const [own, ...others] = await countByAge(store, scope, [{ url, at }, ...peers]);
  const hasHours = (published: Pick<Published, 'at'>) =>
    kept !== undefined && published.at >= startOfDay(String(kept.day), zone);
  const comparable = { hour: others.filter((_, place) => hasHours(peers[place]!)), day: others };
  return agesOf(at, { zone, now, hasHours: hasHours({ at }) }).map(({ unit, age, until }) => ({
    unit,
    age,
    until: toLocalIso(until, zone),
    partial: until > now,
    views: own!(unit, age),
    typical: typicalOf(comparable[unit].map((viewsOf) => viewsOf(unit, age))),
  }));
}

interface Age extends Pick<GrowthRecord, 'unit' | 'age'> {
  /** End of it: epoch milliseconds. */
  until: number;
}

/** Ages that the post has reached; the last of them may not be over. */
function agesOf(at: number, { zone, now, hasHours }: { zone: string; now: number; hasHours: boolean }): Age[] {
  const first = dayOf(at, zone);
  const counted = hasHours ? GROWTH_HOURS : 0;
  const hours = Array.from(
    { length: counted },
    (_, hour): Age => ({ unit: 'hour', age: hour + 1, until: at + (hour + 1) * HOUR }),
  );
  const days = Array.from(
    { length: GROWTH_DAYS },
    (_, day): Age => ({ unit: 'day', age: day + 1, until: startOfDay(addDays(first, day + 1), zone) }),
  ).filter(({ until }) => until > at + counted * HOUR);
  const all = [...hours, ...days];
  return all.filter((_, place) => place === 0 || all[place - 1]!.until < now);
}

/** Views up to an age, that age included. */
type UpTo = (unit: GrowthRecord['unit'], age: number) => number;

async function countByAge(
  store: TrafficStore,
  scope: GrowthQuestion['scope'],
  posts: readonly Published[],
): Promise<UpTo[]> {
  const asked = { ...scope, period: { start: 0, end: 0 } };
  const places = new Map(posts.map(({ url }, place) => [url, place]));
  const addresses = await store.run(compileAddresses(asked, [...places.keys()]));
  const pages = addresses.map(({ page, name }): PageOfPost => {
    const place = places.get(String(name))!;
    return { page: String(page), place, at: posts[place]!.at };
  });
  const [hours, days] = await Promise.all([
    store.run(compileHours(scope, pages)),
    store.run(compileDays(scope, pages)),
  ]);
  return posts.map(({ at }, place) => {
    const mine = (rows: typeof hours) => rows.filter((row) => Number(row.place) === place);
    const byHour = new Map(mine(hours).map(({ age, views }) => [Number(age) + 1, Number(views)]));
    const byDay = new Map(mine(days).map(({ day, views }) => [String(day), Number(views)]));
    const first = dayOf(at, scope.zone);
    return (unit, age) => {
      const steps = Array.from({ length: age }, (_, step) => step);
      const viewsAt = (step: number) => (unit === 'hour' ? byHour.get(step + 1) : byDay.get(addDays(first, step)));
      return steps.reduce((sum, step) => sum + (viewsAt(step) ?? 0), 0);
    };
  });
}

/** null: of so few posts, a middle half says nothing. */
function typicalOf(values: readonly number[]): GrowthRecord['typical'] {
  const usual = values.length < FEWEST_PEERS ? undefined : usualOf(values);
  if (usual === undefined) return null;
  const { low, median, high } = usual;
  return { posts: values.length, low: threeDecimals(low), median: threeDecimals(median), high: threeDecimals(high) };
}
