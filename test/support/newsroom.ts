// A site with its whole application over a real engine in a folder of its own, for tests that ask it through HTTP's front door.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { type Logger, pino } from 'pino';
import { createApp } from '../../server/app.ts';
import type { Deps } from '../../server/context.ts';
import type { PostRecord } from '../../server/contract/wire.ts';
import type { Resolve } from '../../server/crawl/address.ts';
import { createCrawler } from '../../server/crawl/crawler.ts';
import { openReading } from '../../server/crawl/reading.ts';
import { createFrontiers } from '../../server/evaluation/frontiers.ts';
import { blankRow, type EventRow } from '../../server/ingest/eventRow.ts';
import { createIngest } from '../../server/ingest/ingest.ts';
import { createUnsubscribing } from '../../server/mail/unsubscribe.ts';
import type { PostPatch } from '../../server/posts/post.ts';
import { createProfiles } from '../../server/readers/profiles.ts';
import { createLibrary } from '../../server/siteIndex/library.ts';
import { openDirectory } from '../../server/sites/directory.ts';
import { createExclusions } from '../../server/sites/exclusions.ts';
import { openPartners } from '../../server/sites/partners.ts';
import { createReadSecret, createWriteSecret, hashSecret } from '../../server/sites/secrets.ts';
import { parseSiteId, type Site, type SiteId } from '../../server/sites/site.ts';
import type { EngineOptions } from '../../server/storage/connect.ts';
import { openStore } from '../../server/storage/openStore.ts';
import { dayOf } from '../../server/traffic/zone.ts';
import { copyEmptyDatabase } from './emptyDatabase.ts';

export interface Newsroom {
  app: Hono;
  deps: Deps;
  site: Site;
  secret: string;
  writeSecret: string;
  /** Turns the clock. */
  setNow(now: number): void;
  /** Sets the wall clock wrong by so many milliseconds, or right again by 0; the monotonic clock continues. */
  setClockWrong(by: number): void;
  /** Asks below /v2 with the site's id and secret; repeated parameters as lists. */
  ask(path: string, params?: Record<string, string | readonly string[]>): Promise<Answer>;
  /** Stores events as they come out of the pipeline: what is left out is a desktop page view without a referrer, now. */
  happen(...events: readonly Partial<EventRow>[]): Promise<void>;
  write(url: string, patch: PostPatch, aliases?: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Fields of any record; which of them are there is what tests are about. */
export interface WireRecord extends PostRecord {
  name: string;
  type: string;
  category: string;
  _shares: number;
  conversion_type: string;
  conversion_label: string;
  conversion_metrics: {
    attribution_type: string;
    conversion_type: string;
    conversion_label: string;
    conversions: number;
    converting_visitors: number;
  }[];
}

/** Any body of the interface, as a client would read it. */
export interface Answer {
  success: boolean;
  code?: number;
  message?: string;
  errors?: Record<string, string[]>;
  data: WireRecord[];
  meta: { metrics: string[]; sort: string };
  links: { first: string; next: string | null; prev?: string };
}

export interface NewsroomOptions {
  /** Epoch milliseconds. Well after today, or the engine, which has a clock of its own, forgets what is too old. */
  now: number;
  id?: string;
  timezone?: string;
  publicUrl?: string;
  /** Default: the engine inside, in a folder of its own. */
  engine?: EngineOptions;
  /** Another one, whose data this one opens: its site and secrets are known already. */
  like?: Pick<Newsroom, 'site' | 'secret' | 'writeSecret'>;
  /** What host names mean. Default: the system's resolver. */
  resolve?: Resolve;
  /** Default: silent. */
  log?: Logger;
}

export async function openNewsroom(options: NewsroomOptions): Promise<Newsroom> {
  let time = options.now;
  let wrong = 0;
  const now = () => time + wrong;
  const clock = () => time;
  const log = options.log ?? pino({ level: 'silent' });
  const path = await mkdtemp(join(tmpdir(), 'afterword-newsroom-'));
  if (options.engine === undefined) await copyEmptyDatabase(path);
  const store = await openStore({ engine: options.engine ?? { kind: 'embedded', path }, log, now });
  const sites = await openDirectory(store.sites, now);
  const { secret, writeSecret } = options.like ?? { secret: createReadSecret(), writeSecret: createWriteSecret() };
  const site: Site = options.like?.site ?? {
    id: parseSiteId(options.id ?? 'paper.example')!,
    timezone: options.timezone ?? 'UTC',
    domains: [],
    features: { top: true, recommendations: true, search: true },
    secretHash: hashSecret(secret),
    writeSecretHash: hashSecret(writeSecret),
    createdAt: time,
  };
  if (options.like === undefined) await sites.add(site);
  const library = createLibrary({ store, now, log });
  // Queues what it is asked to read, and reads nothing: its `tick` is never called.
  const reading = openReading({
    thread: new URL(import.meta.url),
    version: '0',
    publicUrl: undefined,
    allowPrivate: false,
    clock,
    ...(options.resolve && { resolve: options.resolve }),
  });
  const deps: Deps = {
    now,
    clock,
    log,
    store,
    sites,
    partners: await openPartners(store.partners, now),
    // Who was answered is in the tables, however busy the machine.
    ingest: await createIngest({
      store,
      sites,
      pageOf: (site, url) => library.pageOf(site, url),
      isPost: (site, url) => library.isPost(site, url),
      log,
      now,
      clock,
      deadlineMs: 100_000,
    }),
    library,
    crawler: createCrawler({ store, sites, library, reading, now, clock, log }),
    profiles: createProfiles({ store, now }),
    exclusions: createExclusions({ store: store.exclusions, now, clock }),
    frontiers: createFrontiers({
      ...{ store, sites, now, clock, log },
      thread: new URL('../../dist/server/frontierThread.js', import.meta.url),
    }),
    unsubscribing: createUnsubscribing(store.keys),
    // A folder that is not there: the engine's own files come and go, and are no files of the widget.
    settings: { publicUrl: options.publicUrl, trustedProxies: 0, widgetDir: join(path, 'unbuilt') },
  };
  const app = createApp(deps);
  let batch = 0;
  return {
    app,
    deps,
    site,
    secret,
    writeSecret,
    setNow(next) {
      time = next;
    },
    setClockWrong(by) {
      wrong = by;
    },
    async ask(path, params = {}) {
      const query = new URLSearchParams({ apikey: site.id, secret });
      for (const [name, value] of Object.entries(params)) {
        for (const one of Array.isArray(value) ? value : [value]) query.append(name, one);
      }
      const response = await app.request(`http://stats.example/v2${path}?${query}`);
      return (await response.json()) as Answer;
    },
    async happen(...events) {
      const rows = events.map((event) => toRow(event, { site: site.id, now: time, zone: site.timezone }));
      await store.events.append(rows, `newsroom-${batch++}`);
    },
    async write(url, patch, aliases = []) {
      await deps.library.write(site.id, url, { patch: { pageType: 'post', ...patch }, aliases });
    },
    async close() {
      await deps.frontiers.close();
      await deps.ingest.drain();
      await deps.profiles.drain();
      await deps.library.close();
      await store.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

function toRow(event: Partial<EventRow>, of: { site: SiteId; now: number; zone: string }): EventRow {
  const time = event.time ?? of.now;
  return { ...blankRow(of.site), time, day: dayOf(time, of.zone), ...event };
}
