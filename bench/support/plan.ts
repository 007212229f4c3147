// What a larger installation needs, reckoned from what was measured: a paper plan, which says where each figure comes from.
import type { Measured } from '../scale.ts';

const SITES = 1_000;
const EVENTS_A_MONTH = 10e9;
const SECONDS_A_MONTH = 30 * 86_400;
/** The busiest minute of a news day beside the average. */
const PEAK = 4;
const KEPT_MONTHS = 400 / 30;
/** Cores of a database server that writing may take; the others are for questions and merges. */
const CORES_FOR_WRITING = 4;
const CORES = 16;
const REPLICAS = 2;
/** Of a disk, so that merges have room. */
const FILLED = 0.6;
const DISK_TB = 4;

export function plan(one: Measured, two: Measured): string[] {
  const average = EVENTS_A_MONTH / SECONDS_A_MONTH;
  const peak = average * PEAK;
  const cpuPerEvent = one.secondsPerMillion / 1e6;
  const coresAtPeak = peak * cpuPerEvent;
  const terabytes = (EVENTS_A_MONTH * KEPT_MONTHS * one.bytesPerEvent) / 1e12;
  const shards = Math.max(Math.ceil(coresAtPeak / CORES_FOR_WRITING), Math.ceil(terabytes / (DISK_TB * FILLED)));
  const scan = one.questions.at(-1)!;
  const split = two.secondsPerMillion / one.secondsPerMillion;
  const asked = two.questions[1]!.cpuMilliseconds / one.questions[1]!.cpuMilliseconds;
  const count = (value: number) => Math.round(value).toLocaleString('en');
  return [
    '',
    `### On paper: ${count(SITES)} sites, 10 billion events a month`,
    '',
    `* **Events.** ${count(average)} a second on average, ${count(peak)} in the busiest minutes (${PEAK} times as many). Writing one with all its roll-ups takes a shard ${(cpuPerEvent * 1e6).toFixed(1)} µs of processor time: ${coresAtPeak.toFixed(1)} cores at the peak, in the whole cluster. With two shards the busiest has ${(split * 100).toFixed(0)} % of the work of a single one.`,
    `* **Storage.** ${one.bytesPerEvent.toFixed(1)} bytes an event with all roll-ups, kept for 400 days: ${terabytes.toFixed(1)} TB, ${(terabytes * REPLICAS).toFixed(1)} TB with ${REPLICAS} replicas.`,
    `* **Servers.** ${shards} ${shards === 1 ? 'shard' : 'shards'} of ${CORES} cores and ${DISK_TB} TB with ${REPLICAS} replicas each: ${shards * REPLICAS} database servers, writing at no more than ${CORES_FOR_WRITING} of ${CORES} cores, disks filled to ${FILLED * 100} %.`,
    `* **Questions.** A list reads its own site's roll-ups only, so it costs the same whether one site is kept or ${count(SITES)}: what counts is a site's own traffic, on average ${count(EVENTS_A_MONTH / SITES)} events a month. Reading raw events, the worst case, costs ${((scan.cpuMilliseconds * 1000) / 1e6).toFixed(3)} s of one core for the events of this run; the lists of the interface read roll-ups. With two shards the busiest does ${(asked * 100).toFixed(0)} % of the work of a list by visitors.`,
    `* **Copies of the server.** They hold no data and add up: see the bench \`ingest\` for what one takes.`,
    '',
  ];
}
