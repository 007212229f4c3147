// The state of the parts, read when the metrics are requested: between two requests it costs nothing.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Deps } from '../context.ts';
import type { HotLists } from '../http/hotLists.ts';
import type { Announcer } from '../messages/announceWinners.ts';
import type { EventPosts } from '../posts/eventPosts.ts';
import type { LoadedReadership } from '../readers/readership.ts';
import type { LoadedLibrary } from '../siteIndex/types.ts';
import type { Quotas } from '../sites/quotas.ts';
import type { StoreSize } from '../storage/store.ts';
import type { Thumbnails } from '../thumbnails/thumbnails.ts';
import { gaugesOf } from './gauge.ts';
import { watchIndexes } from './indexes.ts';
import { oneReading } from './oneReading.ts';
import { watchQuotas } from './quotas.ts';
import { watchSpool } from './spool.ts';

export interface Watched {
  eventPosts: Pick<EventPosts, 'counts'>;
  ingest: Pick<Deps['ingest'], 'bots' | 'counts' | 'ledger' | 'backlog' | 'spool'>;
  crawler: Pick<Deps['crawler'], 'counts' | 'gone'>;
  library: Pick<LoadedLibrary, 'sizes' | 'loading'>;
  readership: Pick<LoadedReadership, 'sizes'>;
  lists: Pick<HotLists, 'counts'>;
  sites: Pick<Deps['sites'], 'list'>;
  quotas: Pick<Quotas, 'uses'>;
  store: Pick<Deps['store'], 'size' | 'damage'>;
  thumbnails: Pick<Thumbnails, 'counts' | 'bytes'>;
  announcer: Pick<Announcer, 'counts' | 'waiting'>;
  delivery: Pick<Announcer, 'counts' | 'waiting'>;
}

/** Sites counted under their own names, those that were met first; the others together. */
const SITES_NAMED = 500;
const OTHER_SITES = '(other)';

type Sample = readonly [labels: Record<string, string>, value: number];

export function watchState(
  registry: Registry,
  {
    eventPosts,
    ingest,
    crawler,
    library,
    readership,
    lists,
    sites,
    quotas,
    store,
    thumbnails,
    announcer,
    delivery,
  }: Watched,
): void {
  const registers = [registry];

  /** Totals that another part of the server counts. */
  function total(name: string, help: string, read: () => readonly Sample[], labelNames = ['site', 'outcome']): void {
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  }

  const now = gaugesOf(registry);

  watchIngest({ total, now }, ingest, sites);
  watchSpool(registry, ingest);

  total('afterword_crawl_pages_total', 'Pages by what came of reading them.', () =>
    crawler.counts().map(({ outcome, count }) => [{ outcome }, count]),
  );
  total(
    'afterword_crawl_gone_posts_total',
    'Posts that left the lists because their page is gone, by site.',
    () => crawler.gone().left.map(({ site, count }) => [{ site }, count]),
    ['site'],
  );
  now(
    'afterword_crawl_kept_out_sites',
    'Sites none of whose posts is found any more: their servers seem to refuse the crawler alone. afterword doctor names them.',
    () => crawler.gone().keptOut.length,
  );
  total(
    'afterword_event_metadata_total',
    'Pages described by the metadata of views: written, known already, or left out because more came than a site or a network may bring.',
    () => eventPosts.counts().map(({ outcome, count }) => [{ outcome }, count]),
  );
  total(
    'afterword_public_lists_total',
    'Public lists by where they came from: memory, the engine, shared with another request under way, or memory past its time.',
    () => Object.entries(lists.counts()).map(([outcome, count]) => [{ outcome }, count]),
  );
  total(
    'afterword_thumbnails_total',
    'Thumbnails asked for: hit, made, busy (the picture itself is shown meanwhile), resting (failed lately), off, or why one was not made.',
    () => thumbnails.counts().map(({ outcome, count }) => [{ outcome }, count]),
  );
  now('afterword_thumbnail_bytes', 'Bytes of thumbnails on the disk.', () => thumbnails.bytes());
  total(
    'afterword_messages_total',
    'Attempts to send a winner, an alarm or a morning page by webhook or mail: taken, failed, or given up.',
    () => [...announcer.counts(), ...delivery.counts()].map(({ by, outcome, count }) => [{ by, outcome }, count]),
    ['by', 'outcome'],
  );
  now(
    'afterword_messages_waiting',
    'Winners, alarms and morning pages that their receivers have not taken yet.',
    () => announcer.waiting() + delivery.waiting(),
  );
  watchSize(registry, store);
  new Gauge({
    name: 'afterword_engine_parts_set_aside',
    help: 'Parts of the tables that could not be read and are set aside: their rows are in no answer. afterword doctor names them.',
    registers,
    async collect() {
      this.set(
        await store.damage.setAside().then(
          ({ length }) => length,
          () => Number.NaN,
        ),
      );
    },
  });
  now('afterword_sites', 'Sites.', () => sites.list().length);
  watchIndexes(registry, { library, readership });
  watchQuotas(registry, quotas);
}

interface Kinds {
  total(name: string, help: string, read: () => readonly Sample[], labelNames?: string[]): void;
  now: ReturnType<typeof gaugesOf>;
}

function watchIngest({ total, now }: Kinds, ingest: Watched['ingest'], sites: Watched['sites']): void {
  total(
    'afterword_ingest_events_total',
    'Events by site and outcome: stored, or why not; too-many-urls: stored as well, but without a page, video or referring page. Site "" where the event names none that is known.',
    () => eventSamples(ingest.counts(), sites.list()),
  );
  total(
    'afterword_ingest_bot_events_total',
    'Events that were dropped because a bot sent them, by its name; "other" for bots without one in the table.',
    () => ingest.bots().map(({ name, count }) => [{ bot: name }, count]),
    ['bot'],
  );
  total(
    'afterword_ledger_total',
    'What pages reported of their lists: lists that were shown, items that were seen, clicks on items.',
    () => Object.entries(ingest.ledger()).map(([what, count]) => [{ what }, count]),
    ['what'],
  );
  now('afterword_ingest_waiting_events', 'Events whose senders are not answered yet.', () => ingest.backlog().waiting);
  now(
    'afterword_spool_groups',
    'Files of acknowledged events in the write-ahead log that are not in the tables yet: each is one insert.',
    () => ingest.backlog().spooledGroups,
  );
  now('afterword_spool_events', 'Events in those files.', () => ingest.backlog().spooledEvents);
  now('afterword_spool_bytes', 'Bytes of those files.', () => ingest.backlog().spooledBytes);
  now(
    'afterword_spool_age_seconds',
    'How long the oldest of those files has waited: so far may lists lag behind the readers.',
    () => ingest.backlog().spooledFor / 1000,
  );
}

/** Figures of one question to the database; while it does not answer they are no numbers. */
function watchSize(registry: Registry, store: Watched['store']): void {
  const ask = oneReading(() => store.size());
  function size(name: string, help: string, value: (size: StoreSize) => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const known = await ask();
        this.set(known === undefined ? Number.NaN : value(known));
      },
    });
  }
  size(
    'afterword_engine_parts',
    'Parts of the tables. They are merged in the background; more and more of them are a sign of trouble.',
    ({ parts }) => parts,
  );
  size(
    'afterword_engine_bytes',
    'Bytes of the database on disk, roll-ups included; of a cluster, on the server that answered.',
    ({ bytes }) => bytes,
  );
}

/**
 * A site without events has a 0: a series that begins with its first event is no increase for Prometheus, and after a
 * restart no alert would say that nothing is stored.
 */
function eventSamples(counts: ReturnType<Watched['ingest']['counts']>, sites: readonly { id: string }[]): Sample[] {
  const named = new Set<string>();
  const none = sites.map(({ id }) => ({ site: id, outcome: 'stored', count: 0 }));
  return [...counts, ...none].map(({ site, outcome, count }) => {
    if (named.size < SITES_NAMED) named.add(site);
    return [{ site: named.has(site) ? site : OTHER_SITES, outcome }, count];
  });
}
