// The admin application in process, for a command that finds no server running.
import { join } from 'node:path';
import type { Hono } from 'hono';
import type { StorageSettings } from '../config.ts';
import { BEAT_MS, createCopies } from '../crawl/copies.ts';
import { CRAWL_MS, createCrawler } from '../crawl/crawler.ts';
import { openReading, type ReadingOptions } from '../crawl/reading.ts';
import { createSpool } from '../ingest/queue/spool.ts';
import { type Job, startJobs } from '../jobs.ts';
import { createLibrary } from '../siteIndex/library.ts';
import { openDirectory } from '../sites/directory.ts';
import { createExclusions } from '../sites/exclusions.ts';
import { openPartners } from '../sites/partners.ts';
import { createQuotas } from '../sites/quotas.ts';
import { createAdmin } from './admin.ts';
import { createLog } from './log.ts';
import { openData } from './openData.ts';
import { findSocket } from './socket.ts';

export interface OpenAdmin {
  admin: Hono;
  close(): Promise<void>;
}

/** Where the data is, and how pages are read: for the commands that read some. */
export interface AdminSettings extends StorageSettings {
  /** `queue`: read what waits in the queue as well, as a server does. Default: false. */
  crawl?: Omit<ReadingOptions, 'clock'> & { queue?: boolean };
  /** Makes folder and database where there are none. Default: that is refused. */
  make?: boolean;
}

export async function openAdmin(settings: AdminSettings): Promise<OpenAdmin> {
  const log = createLog({ level: 'warn', format: settings.logFormat, to: 'stderr' });
  const now = () => Date.now();
  const clock = () => performance.now();
  const store = await openData(settings, {
    log,
    now,
    purpose: settings.make === true ? 'make' : 'use',
    isServed: async () => (await findSocket(settings.data)) !== undefined,
  });
  const sites = await openDirectory(store.sites, now);
  const partners = await openPartners(store.partners, now);
  const quotas = createQuotas({ sites, store, log, now, clock });
  const library = createLibrary({ store, now, log, takePost: quotas.posts.take });
  const { columns, appendLines: insert } = store.events;
  const spool = createSpool({ dir: join(settings.data, 'ingest', 'spool'), columns, insert });
  const reading = settings.crawl && openReading({ ...settings.crawl, clock });
  const readsQueue = settings.crawl?.queue === true;
  // Servers may read the same queue elsewhere.
  const shares = readsQueue && settings.clickhouseUrl.length > 0;
  const copies = shares ? createCopies({ store: store.copies, clock, isCommand: true }) : undefined;
  await copies?.beat();
  const crawler = reading && createCrawler({ store, sites, library, reading, now, log, copies });
  const read: Job[] = [
    ...(crawler && readsQueue ? [{ name: 'read pages', every: CRAWL_MS, run: crawler.tick }] : []),
    ...(copies ? [{ name: 'renew the entry of this copy', every: BEAT_MS, run: () => copies.beat() }] : []),
  ];
  const stopJobs = startJobs(read, log, clock);
  return {
    admin: createAdmin({
      now,
      data: settings.data,
      sites,
      partners,
      store,
      exclusions: createExclusions({ store: store.exclusions, now, clock }),
      library,
      quotas,
      spool,
      ...(crawler && { crawler }),
    }),
    async close() {
      await stopJobs();
      await crawler?.drain();
      await copies?.leave();
      await library.close();
      await store.close();
    },
  };
}
