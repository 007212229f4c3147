// Faults of the machine and of the server's process, under traffic.
import { between, pick } from '../../../demo/world/random.ts';
import { startCommand } from '../command.ts';
import type { TestServer } from '../server.ts';
import { until } from '../until.ts';
import { damageFile, rowsIn } from './damage.ts';
import { limitDescriptors, whyNoDescriptorLimit } from './descriptors.ts';
import { settleLosses } from './losses.ts';
import type { World } from './world.ts';

export interface Fault {
  name: string;
  /** Default: always. */
  possible?: (world: World) => boolean;
  /** Resolves when the fault is over and the server runs. */
  run(world: World): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST_HOURS = 5;
/** Distance from midnight, where the salt changes that distinguishes visitors without an id. */
const NEAR_MIDNIGHT_MS = 5 * 60_000;

export const SERVER_FAULTS: readonly Fault[] = [
  { name: 'kill -9', run: (world) => killUnderLoad(world).then(() => startAgain(world)) },
  { name: 'stop', run: stopAndStart },
  { name: 'pause', run: pause },
  { name: 'no descriptors', possible: () => whyNoDescriptorLimit() === undefined, run: exhaustDescriptors },
  { name: 'full disk', possible: ({ disk }) => disk !== undefined, run: fillDisk },
  { name: 'damaged log', run: damageLog },
  { name: 'clock step', run: stepClock },
  { name: 'engine killed', possible: ({ clickhouse }) => clickhouse !== undefined, run: killEngine },
  { name: 'engine frozen', possible: ({ clickhouse }) => clickhouse !== undefined, run: freezeEngine },
  { name: 'second server', run: startSecond },
  { name: 'two starts', run: startTwo },
];

export async function startAgain(world: World): Promise<void> {
  world.server = await world.start();
}

/** Often at a moment when some events were acknowledged from the disk alone. */
async function killUnderLoad(world: World): Promise<void> {
  const { random, traffic } = world;
  if (random() < 0.7) void traffic.crowd();
  await traffic.acknowledged(between(random, 1, 300));
  await world.server.kill();
}

async function stopAndStart(world: World): Promise<void> {
  const signal = pick(world.random, ['SIGTERM', 'SIGINT'] as const);
  const code = await world.server.stop(signal);
  world.notes.push(`${signal}: ${code}`);
  if (code !== 0) world.findings.push(`after ${signal} the server ended with ${code}`);
  await startAgain(world);
}

async function pause({ server, traffic, random }: World): Promise<void> {
  process.kill(server.pid, 'SIGSTOP');
  await traffic.flow(between(random, 100, 1_500));
  process.kill(server.pid, 'SIGCONT');
}

async function exhaustDescriptors(world: World): Promise<void> {
  const { server, traffic, random, notes } = world;
  const room = between(random, 0, 40);
  const crowd = traffic.crowd();
  const giveBack = limitDescriptors(server.pid, room);
  notes.push(`room for ${room} files`);
  await traffic.flow(between(random, 300, 2_000));
  giveBack();
  await crowd;
}

async function fillDisk(world: World): Promise<void> {
  const { traffic, random, notes } = world;
  const disk = world.disk!;
  disk.fill();
  const killed = random() < 0.3;
  await traffic.flow(between(random, 300, 1_500));
  if (killed) await world.server.kill();
  disk.makeRoom();
  notes.push(killed ? 'killed while full' : 'room again');
  if (killed) await startAgain(world);
}

async function damageLog(world: World): Promise<void> {
  const { random, notes, clickhouse, traffic } = world;
  await clickhouse?.kill();
  // The writer pauses after an insert, so that what comes next stays in the log for a moment.
  if (!clickhouse) await traffic.crowd();
  void traffic.crowd();
  await traffic.acknowledged(between(random, 20, 300));
  await world.server.kill();
  await traffic.stop();
  const files = world.logFiles();
  const before = files.flatMap(rowsIn);
  const damages = files.length === 0 ? 0 : between(random, 1, 3);
  for (let n = 0; n < damages; n++) notes.push(`log: ${damageFile(pick(random, files), random)}`);
  const after = new Set(files.flatMap(rowsIn));
  if (clickhouse) world.clickhouse = await clickhouse.startAgain();
  await startAgain(world);
  notes.push(`${files.length} files of ${before.length} rows`);
  await settleLosses(world, before.filter((row) => !after.has(row)).length);
  traffic.start();
}

async function stepClock(world: World): Promise<void> {
  const { clock, traffic, random, notes } = world;
  const real = Date.now();
  const midnight = Math.floor(real / DAY_MS) * DAY_MS;
  const [first, last] = [midnight + NEAR_MIDNIGHT_MS, midnight + DAY_MS - NEAR_MIDNIGHT_MS];
  const wanted = real + (random() * 2 - 1) * MOST_HOURS * HOUR_MS;
  const offset = Math.round(Math.min(last, Math.max(first, wanted)) - real);
  notes.push(`clock ${(offset / HOUR_MS).toFixed(2)} h`);
  world.latestOffset = Math.max(world.latestOffset, offset);
  await clock.set(offset);
  await traffic.flow(between(random, 100, 800));
}

async function killEngine(world: World): Promise<void> {
  const { clickhouse, traffic, random } = world;
  await clickhouse!.kill();
  await traffic.flow(between(random, 100, 2_000));
  world.clickhouse = await clickhouse!.startAgain();
}

async function freezeEngine({ clickhouse, traffic, random }: World): Promise<void> {
  clickhouse!.freeze();
  await traffic.flow(between(random, 100, 4_000));
  clickhouse!.thaw();
}

/** Must be refused, without an effect on the first. */
async function startSecond(world: World): Promise<void> {
  const { child, output, ended } = await startCommand(world.serveWords(), world.clock.env, world.disk?.within);
  let code: number | undefined;
  void ended.then((found) => {
    code = found;
  });
  const serves = () => output.stdout.includes('"msg":"serving"');
  await until('the second server ends', () => code !== undefined || serves());
  if (serves() || code === 0) world.findings.push('a second server serves the same folder');
  child.kill('SIGKILL');
  await ended;
  await expectCommands(world);
}

async function startTwo(world: World): Promise<void> {
  await killUnderLoad(world);
  const starts = await Promise.allSettled([world.start(), world.start()]);
  const serving = starts.flatMap((start): TestServer[] => (start.status === 'fulfilled' ? [start.value] : []));
  if (serving.length === 2) world.findings.push('two servers that were started at once both serve the same folder');
  if (serving.length === 0) {
    world.findings.push(`of two servers that were started at once none serves: ${reasons(starts)}`);
    return await startAgain(world);
  }
  world.server = serving[0]!;
  await serving[1]?.kill();
  await expectCommands(world);
}

const reasons = (starts: readonly PromiseSettledResult<unknown>[]) =>
  starts.map((start) => (start.status === 'rejected' ? String(start.reason) : '')).join(' | ');

/** The running server must answer commands. */
async function expectCommands(world: World): Promise<void> {
  const { code, stderr } = await world.run(['site', 'list', '--json']);
  if (code !== 0) world.findings.push(`commands do not reach the server: ${stderr.trim()}`);
}
