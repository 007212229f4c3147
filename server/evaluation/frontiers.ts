// The measurements of what the mix dial gives, one at a time on this server: begun, followed, and kept for each site. A
// measurement ends with the server, and says so.
//
//   const frontiers = createFrontiers({ store, sites, thread, now, clock, log });
//   await frontiers.start(site);
//   await frontiers.of(site);          { state: 'running', progress: { done: 12000, total: 50000 }, … }
import type { Logger } from 'pino';
import { createPauses, retryWithBackoff } from '../backoff.ts';
import type { FrontierPointRecord, FrontierRecord, FrontierResult } from '../contract/frontier.ts';
import { refuseInput } from '../inputError.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';
import type { FrontierPoint } from './frontierTally.ts';
import { type Found, type Measuring, MeasuringError, measureFrontier } from './measureFrontier.ts';
import { recommendation } from './recommendation.ts';

export interface Frontiers {
  /** How the measurement of a site stands, on whichever copy of the server it runs, and what one before it found. */
  of(site: SiteId): Promise<FrontierRecord>;
  /**
   * Begins to measure a site.
   * @param isDry true: begins nothing. Default: false.
   * @returns How it stands; in a dry run, as it would.
   * @throws {InputError} where it is measured already, or this server measures another site.
   */
  start(site: SiteId, isDry?: boolean): Promise<FrontierRecord>;
  /** Ends what runs. */
  close(): Promise<void>;
}

export interface FrontiersOptions extends Pick<Measuring, 'thread' | 'now' | 'clock' | 'mostPosts'> {
  store: Pick<Store, 'frontiers' | 'posts' | 'readings' | 'isShared'>;
  sites: Pick<SiteDirectory, 'find'>;
  log: Logger;
}

/** How far it is is written so often, for the other copies of the server. */
const WRITE_MS = 10_000;
/** How long the write of a result is repeated while it fails: longer than a database takes to start again. */
const WRITE_RESULT_MS = 600_000;
/** First and longest pause between these writes. */
const RETRY_MS = [500, 30_000] as const;
/** A copy that has written nothing for so long is gone. */
const GONE_MS = 90_000;

const NEVER: FrontierRecord = { state: 'none', started: null, progress: null, reason: null, result: null };
const BROKEN_OFF = 'The measurement was broken off before its result was stored. Measure again.';

interface Running {
  site: SiteId;
  record: FrontierRecord;
  /** When it was written last, by the monotonic clock. */
  written: number;
  work: Promise<void>;
}

export function createFrontiers(options: FrontiersOptions): Frontiers {
  const { store, sites, now, clock, log } = options;
  const stopping = new AbortController();
  let running: Running | undefined;

  async function stateOf(site: SiteId): Promise<FrontierRecord> {
    if (running?.site === site) return running.record;
    const found = await store.frontiers.find(site);
    if (found === undefined) return NEVER;
    const { record, updatedAt } = found;
    const mayRun = store.isShared() && now() - updatedAt < GONE_MS;
    if (record.state !== 'running' || mayRun) return record;
    return { ...record, state: 'failed', progress: null, reason: BROKEN_OFF };
  }

  async function keep(site: SiteId, record: FrontierRecord): Promise<void> {
    // It may have been removed meanwhile.
    if (sites.find(site) !== undefined) await store.frontiers.save(site, record, now());
  }

  function progress(running: Running, done: number, total: number): void {
    running.record = { ...running.record, progress: { done, total } };
    if (clock() - running.written < WRITE_MS) return;
    running.written = clock();
    keep(running.site, running.record).catch((err: unknown) =>
      log.warn({ err, site: running.site }, 'how far the mix dial is measured could not be written'),
    );
  }

  async function run(measurement: Running): Promise<void> {
    const { site } = measurement;
    const watching = {
      stop: stopping.signal,
      progress: (done: number, total: number) => progress(measurement, done, total),
    };
    const end = await measureToEnd(options, { site, ...watching });
    // The measurement ends when its result is stored: an operator who reads the result may restart the server.
    const record = { ...measurement.record, progress: null, ...end };
    await writeWithBackoff(() => keep(site, record), { clock, stop: stopping.signal }).catch((err: unknown) =>
      log.error({ err, site }, 'what the mix dial gives could not be written'),
    );
    running = undefined;
  }

  return {
    of: stateOf,

    async start(site, isDry = false) {
      const before = await stateOf(site);
      if (before.state === 'running') refuseInput('The site is measured already: GET /v2/frontier says how far it is.');
      if (running !== undefined || stopping.signal.aborted)
        refuseInput('The server measures another site now, one at a time: try again in some minutes.');
      const record: FrontierRecord = {
        state: 'running',
        started: toIso(now()),
        progress: { done: 0, total: 0 },
        reason: null,
        result: before.result,
      };
      if (isDry) return record;
      const begun: Running = { site, record, written: clock(), work: Promise.resolve() };
      running = begun;
      const kept = keep(site, record);
      begun.work = kept.then(
        () => run(begun),
        () => {
          running = undefined;
        },
      );
      await kept;
      return record;
    },

    async close() {
      stopping.abort();
      await running?.work;
    },
  };
}

/**
 * Repeats a write while it fails, for ten minutes or until the server stops.
 * @throws what the last write throws.
 */
async function writeWithBackoff(
  write: () => Promise<void>,
  { clock, stop }: Pick<Measuring, 'clock' | 'stop'>,
): Promise<void> {
  const pauses = createPauses();
  const last = clock() + WRITE_RESULT_MS;
  if (stop.aborted) pauses.close();
  stop.addEventListener('abort', pauses.close);
  const onFailure = () => {
    if (clock() > last) pauses.close();
  };
  await retryWithBackoff(write, { pauses, retryMs: RETRY_MS, onFailure }).finally(() =>
    stop.removeEventListener('abort', pauses.close),
  );
}

/** Never rejects. @returns What changes of the record. */
async function measureToEnd(
  options: FrontiersOptions,
  run: Pick<Measuring, 'site' | 'stop' | 'progress'>,
): Promise<Partial<FrontierRecord>> {
  try {
    const measured = await measureFrontier({ ...options, ...run });
    return 'tooFew' in measured
      ? { state: 'too-few', reason: measured.tooFew }
      : { state: 'measured', result: toResult(measured, options.now()) };
  } catch (err) {
    if (!run.stop.aborted) options.log.error({ err, site: run.site }, 'the mix dial could not be measured');
    return { state: 'failed', reason: reasonOf(err, run.stop) };
  }
}

const toIso = (time: number): string => new Date(time).toISOString();

function reasonOf(error: unknown, { aborted }: AbortSignal): string {
  if (aborted) return BROKEN_OFF;
  return error instanceof MeasuringError ? error.message : 'The measurement failed: the log of the server says why.';
}

function toResult({ posts, allPosts, views, frontier }: Found, now: number): FrontierResult {
  const { points, recommended, confirmed } = frontier;
  const [first, second, verdict] = recommendation(frontier);
  return {
    measured: toIso(now),
    ...{ posts, all_posts: allPosts, views, questions: points[0]?.questions ?? 0 },
    points: points.map(toPoint),
    ...{ recommended, confirmed },
    says: [`${first} ${second}`, verdict],
  };
}

const toPoint = (point: FrontierPoint): FrontierPointRecord => ({
  mix: point.mix,
  kept: point.kept,
  mrr: point.reciprocal,
  hit_rate: point.hitRate,
  coverage: point.coverage,
  shown: point.shown,
  age: point.age,
  diversity: point.diversity,
});
