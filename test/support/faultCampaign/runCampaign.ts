// One campaign of faults: random faults under traffic, then a check that each acknowledged event is counted once. A seed determines the
// faults and their parameters; which requests are under way at which moment depends on the machine.
import { between, pick } from '../../../demo/world/random.ts';
import { countViews } from '../beacons.ts';
import { allStored } from '../server.ts';
import { until } from '../until.ts';
import { judgeDoctor, lookAtAll } from './losses.ts';
import { OPERATOR_STEPS } from './operatorSteps.ts';
import { type Fault, SERVER_FAULTS, startAgain } from './serverFaults.ts';
import { openWorld, type World } from './world.ts';

export interface Campaign {
  seed: number;
  /** Environment and faults, in order. */
  steps: string[];
  /** Events of senders and of imports. */
  acknowledged: number;
  counted: number;
  /** Events reported as damaged. */
  reported: number;
  resent: number;
  seconds: number;
  /** Violations; none: the campaign passed. */
  findings: string[];
  /** Details. */
  notes: string[];
}

const FAULTS = { least: 2, most: 4 };
/** Share of operator steps. */
const OPERATOR_SHARE = 0.35;
/** Names of all faults and steps. */
export const ALL: readonly string[] = [...SERVER_FAULTS, ...OPERATOR_STEPS].map(({ name }) => name);
/** Before the first fault. */
const SETTLED_VIEWS = 30;
/** Bound for a campaign that hangs, however busy the machine. */
export const LONGEST_MS = 600_000;

/** @param only Names of faults; others are left out. Default: all. */
export async function runCampaign(seed: number, only: readonly string[] = ALL): Promise<Campaign> {
  const begun = performance.now();
  const world = await openWorld(seed);
  const steps: string[] = [world.clickhouse ? 'remote' : 'embedded', ...(world.disk ? ['small disk'] : [])];
  let counted = 0;
  try {
    counted = await inTime(world, async () => {
      await takeSteps(world, steps, only);
      return await judge(world);
    });
  } catch (error) {
    world.findings.push(`after ${steps.at(-1)}: ${inOneLine(error)}`);
  } finally {
    await world.close();
  }
  const { readers, imported, reported, findings, notes } = world;
  const seconds = (performance.now() - begun) / 1000;
  const brought = imported.reduce((sum, { urls, stored }) => sum + (stored ? urls.length : 0), 0);
  const sent = { acknowledged: readers.acknowledged() + brought, resent: readers.resent() };
  return { seed, steps, ...sent, counted, reported, seconds, findings, notes };
}

async function takeSteps(world: World, steps: string[], only: readonly string[]): Promise<void> {
  const { random, traffic } = world;
  traffic.start();
  await traffic.acknowledged(SETTLED_VIEWS);
  for (let left = between(random, FAULTS.least, FAULTS.most); left > 0; left--) {
    const fault = next(world, only);
    steps.push(fault.name);
    world.notes.push(`— ${fault.name}`);
    await fault.run(world);
    await traffic.flow(between(random, 0, 300));
  }
}

function next(world: World, only: readonly string[]): Fault {
  const { random } = world;
  const possible = ({ name, possible }: Fault) => only.includes(name) && (possible?.(world) ?? true);
  const [server, operator] = [SERVER_FAULTS.filter(possible), OPERATOR_STEPS.filter(possible)];
  const ofOperator = random() < OPERATOR_SHARE ? operator.length > 0 : server.length === 0;
  return pick(random, ofOperator ? operator : server);
}

/** @returns Views that are counted. */
async function judge(world: World): Promise<number> {
  const { readers, traffic, findings, clock, site } = world;
  await until('events are taken again', () => readers.send(world.server));
  await traffic.stop();
  const code = await world.server.stop();
  if (code !== 0) findings.push(`at the end the server ended with ${code}`);
  // Periods end now: no stored event may lie ahead.
  await clock.set(Math.max(0, world.latestOffset));
  await startAgain(world);
  const { lost } = await lookAtAll(world);
  if (lost.length > 0)
    findings.push(`${lost.length} of ${readers.acknowledged()} acknowledged events are missing: ${some(lost)}`);
  const unanswered = await readers.sendAgain(world.server);
  if (unanswered > 0) findings.push(`${unanswered} events are not taken, though all faults are over`);
  const { urls, lost: stillLost, twice, strange } = await lookAtAll(world);
  if (stillLost.length > lost.length) findings.push(`${stillLost.length - lost.length} resent events are missing`);
  if (twice.length > 0) findings.push(`${twice.length} events are stored twice: ${some(twice)}`);
  if (strange.length > 0) findings.push(`${strange.length} stored events were never sent: ${some(strange)}`);
  const there = new Set(urls);
  const early = [...world.backedUp].filter((url) => !there.has(url));
  if (early.length > 0) findings.push(`${early.length} events are in a backup, and missing: ${some(early)}`);
  const counted = await countViews(world.server, site);
  // A kill may end an insert between the table of events and the roll-ups; what was damaged since then is in the former only.
  if (counted > urls.length || counted < urls.length - world.reported)
    findings.push(`${urls.length} events are stored, ${counted} are counted`);
  for (const [status, times] of readers.oddAnswers()) findings.push(`${times} senders were answered with ${status}`);
  await judgeServer(world);
  return counted;
}

async function judgeServer(world: World): Promise<void> {
  const { server, findings } = world;
  await allStored(server);
  const ready = await (await fetch(`${server.url}/readyz`)).json();
  if (!ready.ready || ready.problems.length > 0) findings.push(`at the end the server says ${JSON.stringify(ready)}`);
  const fatal = server.log().filter(({ level }) => level === 'fatal');
  if (fatal.length > 0) findings.push(`fatal: ${JSON.stringify(fatal[0])}`);
  await judgeDoctor(world);
  const code = await server.stop();
  if (code !== 0) findings.push(`stopped at the end the server ended with ${code}`);
}

async function inTime<T>({ notes }: World, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`it hangs: ${notes.at(-1)}`)), LONGEST_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

const some = (urls: readonly string[]) => urls.slice(0, 3).join(' ');

const inOneLine = (error: unknown) => String(error).replaceAll(/\s+/g, ' ').slice(0, 2_000);
