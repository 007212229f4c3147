// The demo beside the server in one process: makes its site, prints the newspaper, fills in a month of readers.
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { CommandError } from '../server/cli/commandError.ts';
import { listen } from '../server/cli/httpServer.ts';
import { openProgress } from '../server/cli/progress.ts';
import type { Guest, GuestHost } from '../server/cli/serve.ts';
import { createSessions } from '../server/console/sessions.ts';
import { DAY } from '../server/durations.ts';
import { startJobs } from '../server/jobs.ts';
import { parseSiteId, type SiteId } from '../server/sites/site.ts';
import { announce } from './announce.ts';
import { askBrought } from './brought.ts';
import { openEdition, PAPER_ZONE } from './edition.ts';
import { findPaperExperiment, startPaperExperiment } from './experiment.ts';
import { openFilms } from './films.ts';
import { type Ledger, readLedger } from './ledger.ts';
import { createLiveEvents } from './live.ts';
import { type LoadTarget, type LoadTask, loadArticles, loadEvents } from './load.ts';
import { openConsoleDoor } from './paper/consoleDoor.ts';
import { createPaper } from './paper/paper.ts';
import { createWorld } from './world/sessions.ts';

export interface DemoSettings {
  /** Where the newspaper listens. */
  host: string;
  demoPort: number;
  /** Data folder of the server. */
  data: string;
  seed: string;
  /** Days of history before the first start. */
  days: number;
  /** Page views of a working day, about. */
  views: number;
  /** Readers come while it runs. */
  live: boolean;
}

/** Visits to a new film, for each page view of a working day. */
const FILM_SHARE = 0.03;
/** How often the articles that are due are published, and the events of the last seconds stored. */
const LIVE_INTERVAL_MS = 5_000;

/** @param ready receives the address of the newspaper when all is loaded. */
export function createDemoGuest(settings: DemoSettings, ready: (paperUrl: string) => void): Guest {
  return {
    async open(host) {
      const origin = `http://localhost:${settings.demoPort}`;
      const { site, secret, made } = await requireSite(host, settings.demoPort);
      const ledgerPath = join(settings.data, 'demo', `${site}.json`);
      const ledger = await openLedger(ledgerPath, { settings, made, now: host.now() });
      if (secret !== undefined) await startPaperExperiment(host.sites, site, ledger.anchor);
      const experiment = () => findPaperExperiment(host.sites, site);
      const articles = openEdition(ledger.anchor);
      const films = openFilms(ledger.anchor);
      const afterword = new URL(host.url);
      if (afterword.hostname === '127.0.0.1') afterword.hostname = 'localhost';
      const brought = () => askBrought(host.admin, { site, experiment: experiment()?.name });
      const paper = createPaper({
        ...{ articles, films, now: host.now, origin, afterword: afterword.origin, siteId: site, brought },
        console: openConsoleDoor(createSessions(host), { site: () => host.sites.find(site), afterword }),
      });

      const target: LoadTarget = { store: host.store, library: host.library, site, origin, ledgerPath };
      const edition = { articles, films, ledger };
      await loadArticles(target, { ...edition, now: host.now(), freshSite: secret !== undefined });
      const traffic = {
        ledger,
        world: createWorld({ articles, seed: ledger.seed, viewsPerDay: ledger.viewsPerDay }),
        films: { films, seed: ledger.seed, visitsPerDay: ledger.viewsPerDay * FILM_SHARE },
      };
      await loadHistory(host, { target, settings, ...traffic, experiment: experiment() });
      const storeEventsUntil = createLiveEvents(target, { ...traffic, experiment });
      if (host.stopping.aborted) return async () => {};

      const http = await listen(getRequestListener(paper.fetch), { host: settings.host, port: settings.demoPort });
      const advance = async () => {
        const now = host.now();
        await loadArticles(target, { ...edition, now, freshSite: false });
        if (settings.live) await storeEventsUntil(now);
      };
      const jobs = [{ name: 'publish articles and store events of readers', every: LIVE_INTERVAL_MS, run: advance }];
      const stopJobs = startJobs(jobs, host.log, () => performance.now());
      announce({ origin, afterword: afterword.origin, site, secret, data: settings.data });
      ready(`${origin}/`);
      return async () => {
        await stopJobs();
        await http.close();
      };
    },
  };
}

/** The newspaper's site, made at the first start with its own port as its domain; the port is part of its name. */
async function requireSite(
  host: GuestHost,
  port: number,
): Promise<{ site: SiteId; made: number; secret: string | undefined }> {
  const id = `lantern-${port}`;
  const known = host.sites.find(id);
  if (known) return { site: known.id, made: known.createdAt, secret: undefined };
  const body = { apikey: id, timezone: PAPER_ZONE, domains: [`localhost:${port}`, `127.0.0.1:${port}`] };
  const answer = await host.admin.request('/sites', { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new CommandError(`The demo's site could not be made: ${await answer.text()}`);
  const { secret } = (await answer.json()) as { secret: string };
  return { site: parseSiteId(id)!, made: host.sites.find(id)!.createdAt, secret };
}

async function openLedger(
  path: string,
  { settings, made, now }: { settings: DemoSettings; made: number; now: number },
): Promise<Ledger> {
  const { seed, views, days } = settings;
  const ledger = await readLedger(path);
  if (ledger === undefined || ledger.siteMade !== made) {
    return { siteMade: made, seed, viewsPerDay: views, anchor: now, postsUntil: 0, eventsUntil: now - days * DAY };
  }
  if (ledger.seed !== seed || ledger.viewsPerDay !== views) {
    throw new CommandError(
      `The demo's data was made with --seed ${ledger.seed} --views ${ledger.viewsPerDay}. Start it so, or choose another folder with --data.`,
    );
  }
  return ledger;
}

async function loadHistory(
  host: GuestHost,
  {
    target,
    settings,
    ledger,
    ...task
  }: { target: LoadTarget; settings: DemoSettings; ledger: Ledger } & Pick<LoadTask, 'world' | 'films' | 'experiment'>,
): Promise<void> {
  const now = host.now();
  ledger.eventsUntil = Math.max(ledger.eventsUntil, now - settings.days * DAY);
  const total = now - ledger.eventsUntil;
  const progress = openProgress({ title: 'Inviting a month of readers', total, elsewhere: 'lines' });
  try {
    await loadEvents(target, {
      ...task,
      ledger,
      now,
      stopping: host.stopping,
      onSpan: (stored) =>
        progress.update(ledger.eventsUntil - (now - total), `${stored.toLocaleString('en-US')} events`),
    });
  } finally {
    progress.close();
  }
}
