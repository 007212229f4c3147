// The one place that makes the server out of its parts, and takes it apart in the right order.
import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { ServerSettings } from '../config.ts';
import type { SiteDirectory } from '../deps.ts';
import { widgetFiles } from '../http/widgetFiles.ts';
import { type Job, startJobs } from '../jobs.ts';
import { openDirectory } from '../sites/directory.ts';
import type { Store } from '../storage/store.ts';
import { createAdmin } from './admin.ts';
import { openData } from './openData.ts';

export interface Assembly {
  listener: RequestListener;
  admin: Hono;
  /** How many sites there are. */
  sites(): number;
  /** The parts a guest of the process works with. */
  parts: { store: Store; directory: SiteDirectory };
  ping(): Promise<void>;
  /** Writes what waits, then lets the data go. No request may be under way any more. */
  close(): Promise<void>;
}

export interface AssembleOptions {
  settings: ServerSettings;
  log: Logger;
  now: () => number;
  /** Folder of the built widget. */
  widgetDir: string;
}

/** Sites made by another copy of the server, or by a command beside a remote engine, are seen within this. */
const REFRESH_SITES_MS = 10_000;

export async function assemble({ settings, log, now, widgetDir }: AssembleOptions): Promise<Assembly> {
  const store = await openData(settings, { log, now });
  const sites = await openDirectory(store.sites, now);
  const app = new Hono();
  app.route('/', widgetFiles(widgetDir));
  const jobs: Job[] = [{ name: 'refresh sites', every: REFRESH_SITES_MS, run: () => sites.refresh() }];
  const stopJobs = startJobs(jobs, log);
  return {
    listener: getRequestListener(app.fetch),
    admin: createAdmin({ now, sites }),
    sites: () => sites.list().length,
    parts: { store, directory: sites },
    ping: () => store.ping(),
    async close() {
      await stopJobs();
      await store.close();
    },
  };
}
