// Compares what is stored with what was acknowledged, and what is missing with what the server reports as damaged.
import { exportedViews } from '../beacons.ts';
import { readMetrics } from '../metrics.ts';
import { allStored } from '../server.ts';
import type { World } from './world.ts';

/** Gauges of what is kept on the disk. */
const KEPT = ['afterword_spool_damaged_events', 'afterword_spool_refused_events'];
/** Counted since the start: a damaged last group looks like one that was never acknowledged. */
const CUT_OFF = 'afterword_spool_unfinished_events_total';
const UNREADABLE = 'afterword_spool_unreadable_files';

/** What the doctor says of them. */
const NOT_COUNTED = /^Not counted: .*?([\d,]+) events?/;

export interface Stored {
  /** Of all views in the table of events. */
  urls: string[];
  lost: string[];
  twice: string[];
  strange: string[];
}

/** Waits until the spool is empty and reads all stored views. Without traffic only. */
export async function lookAtAll(world: World): Promise<Stored> {
  const { server, readers, imported, lostToDamage } = world;
  await allStored(server);
  const urls = await exportedViews(server.dataDir, world.site.apikey, world.disk?.within);
  const brought = new Set(imported.flatMap((file) => file.urls));
  const there = new Set(urls);
  const { lost, twice, strange } = readers.compareTo(urls);
  const due = imported.flatMap(({ urls, stored }) => (stored ? urls : []));
  return {
    urls,
    lost: [...lost, ...due.filter((url) => !there.has(url))].filter((url) => !lostToDamage.has(url)),
    twice,
    strange: strange.filter((url) => !brought.has(url)),
  };
}

/**
 * After damage to the log: the server reports every acknowledged event that is missing, and no more than were damaged or in doubt.
 * @param damaged Rows of the log that are not as they were.
 */
export async function settleLosses(world: World, damaged: number): Promise<void> {
  const { notes, findings, readers } = world;
  const { lost, twice, strange } = await lookAtAll(world);
  const metrics = await readMetrics(world.server);
  const kept = keptEvents(metrics);
  // The gauges hold what was reported earlier, too; the counter begins anew with each start.
  const reported = kept - world.kept + (metrics.get(CUT_OFF) ?? 0);
  world.kept = kept;
  world.reported += reported;
  const most = Math.max(damaged, lost.length + readers.unanswered());
  const unreadable = metrics.get(UNREADABLE) ?? 0;
  notes.push(`${damaged} rows damaged, ${lost.length} missing, ${reported} reported, ${unreadable} unreadable files`);
  // Of a file without an undamaged header or frame the number of rows is unknown: the file itself is reported.
  if ((lost.length > reported && unreadable === 0) || reported > most)
    findings.push(`${lost.length} acknowledged events are missing, ${reported} reported (${damaged} rows damaged)`);
  if (twice.length > 0) findings.push(`after damage ${twice.length} events are stored twice`);
  if (strange.length > 0) findings.push(`after damage ${strange.length} stored events were never sent`);
  for (const url of lost) world.lostToDamage.add(url);
}

/** Acknowledged events that are damaged or refused, by the metrics. */
function keptEvents(metrics: ReadonlyMap<string, number>): number {
  return KEPT.reduce((sum, name) => sum + (metrics.get(name) ?? 0), 0);
}

/** The doctor must say the same of them as the metrics. */
export async function judgeDoctor({ server, findings, run, notes }: World): Promise<void> {
  const kept = keptEvents(await readMetrics(server));
  const { stdout } = await run(['doctor', '--json']);
  const all: { about: string; state: string; says: string }[] = JSON.parse(stdout);
  notes.push(...all.map(({ about, state, says }) => `doctor: ${state}, ${about}: ${says}`));
  // Of a small disk it says nothing but that.
  if (all.some(({ state }) => state === 'problem')) return;
  const said = all.flatMap(({ about, says }) => (about === 'spool' ? (NOT_COUNTED.exec(says)?.[1] ?? []) : []));
  const events = said.reduce((sum, digits) => sum + Number(digits.replaceAll(',', '')), 0);
  if (events !== kept) findings.push(`${kept} events are kept as damaged or refused, doctor says ${events}`);
}
