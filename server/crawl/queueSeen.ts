// Queues pages that were viewed and are unknown: looks them up a few at a time, and raises the priority of those that
// readers of several networks viewed.
import { MINUTE } from '../durations.ts';
import { createHourlyAllowance } from '../ingest/cardinality/hourlyAllowance.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import type { KeepsPosts } from './keepPage.ts';
import type { LookUp } from './lookUp.ts';
import { DECLARED, type QueueEntry } from './queueEntry.ts';
import { queued } from './schedule.ts';
import { createSeenPages, type SeenPage, type SeenPages } from './seenPages.ts';

export interface QueueSeenOptions {
  crawlQueue: Pick<Store['crawlQueue'], 'get'>;
  library: KeepsPosts;
  lookUp: LookUp;
  /** Writes entries to the queue. */
  enqueue(entries: readonly QueueEntry[]): Promise<void>;
  /** Called for each new page beyond those that its site may queue in an hour. */
  leftOut(): void;
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. */
  clock(): number;
}

export interface QueueSeen {
  /** Called for every view: costs one look-up in memory. */
  see: SeenPages['see'];
  forgetSite: SeenPages['forgetSite'];
  /** Queues what was seen since. */
  tick(): Promise<void>;
}

/** Pages looked up in one tick. */
const LOOK_UPS = 200;
/** New pages queued per site and hour: a page a second is all that politeness reads. Declared posts are not counted. */
const NEW_PER_HOUR = 3_600;
/** Interval between two look-ups of an unknown id. */
const FORGET_IDS_MS = MINUTE;

export function createQueueSeen(options: QueueSeenOptions): QueueSeen {
  const { crawlQueue, library, lookUp, enqueue, leftOut, now, clock } = options;
  const seenPages = createSeenPages();
  const quota = createHourlyAllowance(NEW_PER_HOUR);
  /** Ids without a post. */
  const unresolved: { site: SiteId; name: string }[] = [];
  let nextForgetting = 0;

  /** Bounds pages that views queue, not those that are requested. One network with a part left is enough. */
  function withinQuota({ site, url, networks }: SeenPage): boolean {
    if (networks.some((network) => quota.take(site, network, now()))) return true;
    seenPages.forget(site, [url]);
    leftOut();
    return false;
  }

  async function queuePages(site: SiteId, pages: ReadonlyMap<string, SeenPage>): Promise<void> {
    const found = await lookUp(site, [...pages.keys()]);
    unresolved.push(...found.unresolved.map((name) => ({ site, name })));
    const tracked = new Set(found.waiting.map(({ url }) => url));
    for (const { url, declared } of found.unknown) if (!declared) tracked.add(url);
    for (const url of pages.keys()) if (!tracked.has(url)) seenPages.settle(site, url);
    await declareAliases(library, site, new Map([...found.others].filter(([name]) => withinQuota(pages.get(name)!))));
    const admitted = found.unknown.filter(({ url, declared }) => declared || withinQuota(pages.get(url)!));
    const priorityOf = (url: string) => pages.get(url)!.networks.length;
    const added = admitted.map(({ url, declared }) =>
      queued(undefined, { site, url, requested: false, priority: declared ? DECLARED : priorityOf(url) }, now()),
    );
    // A page of the archive that a reader opens comes before the archive.
    await enqueue([...added, ...found.waiting.flatMap((entry) => raised(entry, priorityOf(entry.url), now()))]);
  }

  async function queueTaken(): Promise<void> {
    const taken = seenPages.take(LOOK_UPS);
    try {
      for (const [site, pages] of taken) {
        await queuePages(site, new Map(pages.map((page) => [page.url, page])));
        taken.delete(site);
      }
    } finally {
      // After a failure those of the sites behind it, too: no later view would bring what was taken and is remembered.
      for (const [site, pages] of taken)
        seenPages.forget(
          site,
          pages.map(({ url }) => url),
        );
    }
  }

  /** Pages that wait and were seen from more networks since come sooner. */
  async function raisePriorities(): Promise<void> {
    const risen: QueueEntry[] = [];
    for (const { site, url, networks } of seenPages.risen()) {
      const [entry] = await crawlQueue.get(site, [url]);
      if (entry !== undefined) risen.push(...raised(entry, networks.length, now()));
    }
    await enqueue(risen);
  }

  /** The list of unknown ids is cleared from time to time: publishers may declare a film after its first views. */
  function forgetUnresolved(): void {
    if (clock() < nextForgetting) return;
    nextForgetting = clock() + FORGET_IDS_MS;
    for (const { site, name } of unresolved.splice(0)) seenPages.forget(site, [name]);
  }

  return {
    see: seenPages.see,
    forgetSite: seenPages.forgetSite,
    async tick() {
      forgetUnresolved();
      await queueTaken();
      await raisePriorities();
    },
  };
}

/** Views that came under such an address count for the post from now on, and those that came before. */
export async function declareAliases(library: KeepsPosts, site: SiteId, others: ReadonlyMap<string, string>) {
  for (const url of new Set(others.values())) {
    const aliases = [...others].flatMap(([alias, owner]) => (owner === url ? [alias] : []));
    await library.write(site, url, { patch: {}, aliases, by: 'page' });
  }
}

function raised(entry: QueueEntry, priority: number, now: number): QueueEntry[] {
  if (entry.due === 0 || entry.priority >= priority) return [];
  return [{ ...entry, priority, updatedAt: Math.max(now, entry.updatedAt) }];
}
