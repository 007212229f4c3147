// The result of an experiment: counted from the ledger while it runs, stored when it ends.
import type { Ending, ExperimentResult } from '../contract/experiments.ts';
import { DAY } from '../durations.ts';
import { UnknownSiteError } from '../errors.ts';
import type { VariantCounts } from '../experiments/analyse.ts';
import { type Experiment, findExperiment, findRunning, stopOne } from '../experiments/experiment.ts';
import { METRICS, type MetricName } from '../experiments/metrics.ts';
import { NOTHING, type RatioSums } from '../experiments/ratio.ts';
import { toResult } from '../experiments/toExperimentRecord.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Site, SiteId } from '../sites/site.ts';
import { daysOfReports } from '../sites/siteQuotas.ts';
import type { Store, TrafficStore } from '../storage/store.ts';
import { compileReaders, type ReadersQuestion } from '../traffic/ledger/compileReaders.ts';
import type { TrafficRow } from '../traffic/query.ts';
import { startOfDay } from '../traffic/zone.ts';

/** Sums over readers, of each of the variants that are named, in that order. */
export async function countReaders(
  store: TrafficStore,
  question: ReadersQuestion,
  variants: readonly string[],
): Promise<VariantCounts[]> {
  const rows = new Map((await store.run(compileReaders(question))).map((row) => [String(row.variant), row]));
  return variants.map((name) => toCounts(rows.get(name)));
}

function toCounts(row: TrafficRow | undefined): VariantCounts {
  const sums = METRICS.map(({ name }): [MetricName, RatioSums] => {
    const sumOf = (sum: keyof RatioSums) => Number(row?.[`${name}_${sum}`] ?? 0);
    return [
      name,
      row === undefined ? NOTHING : { x: sumOf('x'), y: sumOf('y'), xx: sumOf('xx'), xy: sumOf('xy'), yy: sumOf('yy') },
    ];
  });
  return { readers: Number(row?.readers ?? 0), sums: Object.fromEntries(sums) as VariantCounts['sums'] };
}

/** The result of an experiment, as it is now; of one that has ended, as it was then. */
export async function resultOf(
  store: TrafficStore,
  { id: site, timezone: zone }: Pick<Site, 'id' | 'timezone'>,
  experiment: Experiment,
  now: number,
): Promise<ExperimentResult> {
  const { name, startedAt, stoppedAt, readers, result } = experiment;
  if (result !== undefined) return result;
  const variants = experiment.variants.map((variant) => variant.name);
  // No later end: a wall clock that was set back would leave out readers, for good where the result is then kept.
  const scope = { site, zone, period: { start: startedAt, end: Number.POSITIVE_INFINITY } };
  const counts = await countReaders(store, { scope, experiment: { name, variants }, readers }, variants);
  return toResult(experiment, counts, { now, isStopped: stoppedAt !== undefined });
}

interface Parts {
  sites: SiteDirectory;
  store: Pick<Store, 'traffic'>;
}

/**
 * Ends a running experiment by a command, and keeps its result.
 * @throws {ExperimentError} where there is none of this name.
 */
export async function stopExperiment(
  { sites, store }: Parts,
  { id, name, now }: { id: SiteId; name: string; now: number },
): Promise<Experiment> {
  const site = requireSite(sites, id);
  const running = findRunning(site.experiments ?? [], name);
  const result = await resultOf(store.traffic, site, { ...running, stoppedAt: now }, now);
  return await keepEnded(sites, { id, name, by: 'command', now, result });
}

/** Ends the running experiments that are decided, or have the readers they were planned for. @returns these. */
export const endDecided = (parts: Parts, site: Site, now: number): Promise<Experiment[]> =>
  endOf(parts, runningOf(site), { site, now, longestMs: longestOf(site) });

/**
 * Ends the running experiments of a site that began before a day, while the reports of their first days are there:
 * those of days before it are about to be removed. @returns these.
 */
export async function endBegunBefore(
  { sites, store }: Parts,
  { site: id, day }: { site: SiteId; day: string },
  now: number,
): Promise<Experiment[]> {
  const site = requireSite(sites, id);
  const start = startOfDay(day, site.timezone);
  const begunBefore = runningOf(site).filter(({ startedAt }) => startedAt < start);
  return await endOf({ sites, store }, begunBefore, { site, now, longestMs: now - start });
}

const runningOf = ({ experiments = [] }: Site): Experiment[] => experiments.filter(({ state }) => state === 'running');

async function endOf(
  { sites, store }: Parts,
  experiments: readonly Experiment[],
  { site: { id }, now, longestMs }: { site: Site; now: number; longestMs: number },
): Promise<Experiment[]> {
  const ended: Experiment[] = [];
  for (const experiment of experiments) {
    const site = requireSite(sites, id);
    const result = await resultOf(store.traffic, site, { ...experiment, stoppedAt: now }, now);
    const by = endingOf(experiment, result, { now, longestMs });
    if (by === undefined || !isRunning(requireSite(sites, id), experiment)) continue;
    ended.push(await keepEnded(sites, { id, name: experiment.name, by, now, result }));
  }
  return ended;
}

/** Whether it runs now: an editor may have stopped it while its readers were counted. */
const isRunning = ({ experiments = [] }: Site, { name }: Experiment): boolean =>
  experiments.some((one) => one.name === name && one.state === 'running');

/** How long an experiment of a site may run: its first reports are removed a day after this. */
const longestOf = ({ quotas }: Site): number => (daysOfReports(quotas) - 1) * DAY;

function endingOf(
  experiment: Experiment,
  { readers, verdict }: ExperimentResult,
  { now, longestMs }: { now: number; longestMs: number },
): Ending | undefined {
  if (readers >= experiment.readers) return 'readers';
  if (verdict !== 'wait') return 'decision';
  return now - experiment.startedAt > longestMs ? 'days' : undefined;
}

async function keepEnded(
  sites: SiteDirectory,
  { id, ...ending }: { id: SiteId; name: string; by: Ending; now: number; result: ExperimentResult },
): Promise<Experiment> {
  const { experiments = [] } = await sites.change(id, (site) => ({
    ...site,
    experiments: stopOne(site.experiments ?? [], ending),
  }));
  return findExperiment(experiments, ending.name);
}

function requireSite(sites: SiteDirectory, id: SiteId): Site {
  const site = sites.find(id);
  if (site === undefined) throw new UnknownSiteError(id);
  return site;
}
