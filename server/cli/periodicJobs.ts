// The jobs of the running server, and how often each runs.
import type { Logger } from 'pino';
import { BEAT_MS, type Copies } from '../crawl/copies.ts';
import { CRAWL_MS } from '../crawl/crawler.ts';
import { MINUTE } from '../durations.ts';
import type { Experiment } from '../experiments/experiment.ts';
import type { Ingest } from '../ingest/types.ts';
import { type Job, onOneCopy, whileShared } from '../jobs.ts';
import { NOTICE_MS } from '../messages/pauses.ts';
import { COMPARE_MS, compareAlternatives } from '../rankings/compareAlternatives.ts';
import { endBegunBefore, endDecided } from '../rankings/experimentResults.ts';
import { materialiseHours } from '../rankings/materialiseHours.ts';
import { settleDays } from '../rankings/settleDays.ts';
import { serveEach } from '../serveEach.ts';
import type { Site, SiteId } from '../sites/site.ts';
import type { Parts } from './assemble.ts';

/** Sites made by another copy of the server, or by a command beside a remote engine, are seen within this. */
const REFRESH_SITES_MS = 10_000;
/** Events that other copies took are counted within this against a quota that is half used, else within a minute. */
const COUNT_QUOTAS_MS = 10_000;
/** Old events are removed so soon after a day has ended or a quota has changed; between that it costs no question. */
const RETAIN_MS = 2_000;
/** Posts written by another copy of the server are recommended within this. */
const REFRESH_POSTS_MS = 5_000;
/** What readers read is learned within this, and ten seconds. */
const LEARN_MS = 15_000;
const DROP_IDLE_MS = MINUTE;
/** Salts of earlier days are erased within this; a copy that takes the job over, too. */
const ERASE_SALTS_MS = 10_000;
/** Experiments are looked at so often. Each look reads the reports of all of its readers. */
const END_EXPERIMENTS_MS = 10 * MINUTE;
/** Winners of headline tests are sent within this; what failed is sent again within this after its pause. */
const ANNOUNCE_MS = 30_000;
/** Alarms are raised within this: five minutes are looked at. */
const ALARM_MS = 30_000;
/** And sent within this. */
const SEND_MS = 10_000;
/** A disk fills in hours. */
const DISK_MS = MINUTE;
/** What a day that is over brought is kept within this, and what came to one late is in its figures. */
const SETTLE_MS = 15 * MINUTE;
/** What events say of posts is written within this. */
const WRITE_POSTS_MS = 1_000;

export function jobsOf(
  {
    store,
    sites,
    partners,
    quotas,
    library,
    readership,
    copies,
    crawler,
    eventPosts,
    ingest,
    announcer,
    alarms,
    delivery,
    diskWatch,
    exclusions,
  }: Parts,
  { log, now }: { log: Logger; now: () => number },
) {
  const compare: Job = {
    name: 'compare titles and pictures',
    every: COMPARE_MS,
    run: (stop) => compareAlternatives({ store, sites, library, now, log, stop }),
  };
  const settle: Job = {
    name: 'keep what followed clicks',
    every: SETTLE_MS,
    run: (stop) => settleDays({ store, sites, now, stop }),
  };
  const keep: Job = {
    name: 'keep busy days by hour',
    every: SETTLE_MS,
    run: async (stop) => void (await materialiseHours({ store, sites, exclusions, now, stop })),
  };
  const logEnded = logEndedTo(log);
  const retain: Job = {
    name: 'remove old events',
    every: RETAIN_MS,
    run: (stop) =>
      quotas.retention.tick({
        stop,
        leaving: async (siteDay) => logEnded(siteDay.site, await endBegunBefore({ sites, store }, siteDay, now())),
      }),
  };
  return [
    { name: 'count quotas', every: COUNT_QUOTAS_MS, run: () => quotas.refresh() },
    onOneCopy(retain, { owns: copies.owns, log }),
    onOneCopy(compare, { owns: copies.owns, log }),
    onOneCopy({ name: 'announce winners', every: ANNOUNCE_MS, run: announcer.tick }, { owns: copies.owns, log }),
    onOneCopy({ name: 'raise alarms', every: ALARM_MS, run: alarms.tick }, { owns: copies.owns, log }),
    onOneCopy({ name: 'make morning pages', every: ALARM_MS, run: alarms.makePages }, { owns: copies.owns, log }),
    onOneCopy({ name: 'send messages', every: SEND_MS, run: delivery.tick }, { owns: copies.owns, log }),
    // A copy that gets the alarms of another one has to know since when it runs itself.
    { name: 'notice pauses', every: NOTICE_MS, run: async () => alarms.notice() },
    // Each copy has a disk of its own.
    { name: 'watch the disk', every: DISK_MS, run: diskWatch.tick },
    onOneCopy(settle, { owns: copies.owns, log }),
    onOneCopy(keep, { owns: copies.owns, log }),
    ...copyJobs({ copies, ingest, log }),
    onOneCopy(endExperiments({ store, sites, log, now }), { owns: copies.owns, log }),
    ...[
      { name: 'refresh sites', every: REFRESH_SITES_MS, run: () => sites.refresh() },
      { name: 'refresh partners', every: REFRESH_SITES_MS, run: () => partners.refresh() },
      { name: 'refresh posts', every: REFRESH_POSTS_MS, run: () => library.refresh() },
    ].map((job) => whileShared(job, store)),
    { name: 'read pages', every: CRAWL_MS, run: () => crawler.tick() },
    { name: 'write posts of events', every: WRITE_POSTS_MS, run: () => eventPosts.tick() },
    { name: 'learn what was read', every: LEARN_MS, run: () => readership.refresh() },
    { name: 'drop idle indexes', every: DROP_IDLE_MS, run: async () => library.dropIdle() },
    { name: 'drop idle readers', every: DROP_IDLE_MS, run: async () => readership.dropIdle() },
  ];
}

const logEndedTo = (log: Logger) => (site: SiteId, ended: readonly Experiment[]) => {
  for (const { name, endedBy, result } of ended)
    log.info({ site, experiment: name, by: endedBy, says: result?.says }, 'experiment ended');
};

function endExperiments({
  store,
  sites,
  log,
  now,
}: Pick<Parts, 'store' | 'sites'> & { log: Logger; now: () => number }): Job {
  const logEnded = logEndedTo(log);
  return {
    name: 'end experiments',
    every: END_EXPERIMENTS_MS,
    async run(stop) {
      const end = async (site: Site) => logEnded(site.id, await endDecided({ sites, store }, site, now()));
      const failures = await serveEach(sites.list(), end, { stop });
      if (failures.length > 0) throw new AggregateError(failures, `Experiments of ${failures.length} sites failed.`);
    },
  };
}

/** What a copy does because there are others. Jobs that change what all of them share go through `onOneCopy`. */
const copyJobs = ({ copies, ingest, log }: { copies: Copies; ingest: Ingest; log: Logger }): Job[] => [
  { name: 'renew the entry of this copy', every: BEAT_MS, run: () => copies.beat() },
  onOneCopy(
    { name: 'erase salts', every: ERASE_SALTS_MS, run: async () => ingest.eraseSalts?.() },
    { owns: copies.owns, log },
  ),
];
