// Whether the tag of a site works: what came in within the last minutes, what came last, and what was not stored.
import { EVENT_KINDS, type EventKind, SETUP_MINUTES, type SetUpEvents, type SetUpRecord } from '../contract/setUp.ts';
import { DAY, MINUTE } from '../durations.ts';
import type { Ingest } from '../ingest/types.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import { compileNewest, compileRecent, type RecentQuestion } from '../traffic/recentEvents.ts';

interface Options {
  store: Pick<Store, 'traffic' | 'isShared'>;
  ingest: Pick<Ingest, 'recentDrops'>;
}

/** Where nothing came within the minutes, the newest is looked for in so many days. */
const NEWEST_DAYS = 2;

type Kinds = Record<EventKind, SetUpEvents>;

/** @param of.now Epoch milliseconds. */
export async function readSetUp(
  { store, ingest }: Options,
  { site, zone, now }: { site: SiteId; zone: string; now: number },
): Promise<SetUpRecord> {
  const start = now - (now % MINUTE) - (SETUP_MINUTES - 1) * MINUTE;
  const question = { site, zone, period: { start, end: now } };
  return {
    period_start: new Date(start).toISOString(),
    period_end: new Date(now + 1).toISOString(),
    events: await readEvents(store, question),
    drops: ingest.recentDrops(site),
    shared: store.isShared(),
  };
}

async function readEvents({ traffic }: Options['store'], question: RecentQuestion): Promise<SetUpEvents[]> {
  const kinds = Object.fromEntries(EVENT_KINDS.map((kind) => [kind, emptyOf(kind)])) as Kinds;
  for (const { kind, place, events, last, page } of await traffic.run(compileRecent(question))) {
    const ofKind = kinds[kind as keyof Kinds];
    ofKind.count += Number(events);
    ofKind.course[Number(place)] = Number(events);
    const newest = toLast(last, page);
    if (ofKind.last === null || newest.time > ofKind.last.time) ofKind.last = newest;
  }
  const silent = EVENT_KINDS.filter((kind) => kinds[kind].last === null);
  if (silent.length > 0) {
    const { end } = question.period;
    const earlier = { ...question, period: { start: end - NEWEST_DAYS * DAY, end } };
    for (const { kind, last, page } of await traffic.run(compileNewest(earlier, silent)))
      kinds[kind as keyof Kinds].last = toLast(last, page);
  }
  return EVENT_KINDS.map((kind) => kinds[kind]);
}

const emptyOf = (kind: SetUpEvents['kind']): SetUpEvents => ({
  kind,
  count: 0,
  course: Array.from({ length: SETUP_MINUTES }, () => 0),
  last: null,
});

const toLast = (last: unknown, page: unknown) => ({ time: new Date(Number(last)).toISOString(), url: String(page) });
