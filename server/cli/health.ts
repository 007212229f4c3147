// GET /healthz: this process runs. GET /readyz: it can take what readers send, and what else it can do or not.
//
// Ready is who takes events: while the database is away they go to the spool, and lists come from memory, so a balancer
// that turned readers away would lose what is kept. The answer names what is wrong, for people and for alarms.
import type { RequestListener, ServerResponse } from 'node:http';
import { diskRoom } from '../checkup/diskRoom.ts';
import { withDeadline } from '../deadline.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { Backlog } from '../ingest/types.ts';
import { FEW_FILES } from './freeBytes.ts';
import { count, inBytes } from './output.ts';

/** Asked at most this often, however many ask. */
const KEEP_MS = 1_000;
/** A database that has not answered by then is away. */
const PATIENCE_MS = 3_000;
/** With less room the spool counts as full: less than a large group of events, or than this share of a small spool. */
const LITTLE_ROOM = { bytes: 16 * 1024 * 1024, share: 1 / 8 };

export interface Health {
  /** By path. */
  answers: Readonly<Record<'/healthz' | '/readyz', RequestListener>>;
  /** What /readyz says. */
  readiness(): Promise<Readiness>;
  /** What the process is doing; only `ready` may be served. */
  enter(state: 'starting' | 'ready' | 'draining'): void;
}

export interface HealthChecks {
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Bytes of events in the spool, and those it has room for while the database is away. */
  spool(): Pick<Backlog, 'spooledBytes' | 'spoolRoom'>;
  /** Files of events that cannot be read now, for lack of descriptors, for example. */
  retrying(): number;
  /** Why no list can be answered yet; undefined once the database was open. */
  waitingFor(): string | undefined;
  /** Whether the last events that came could not be written, neither here nor there. */
  refusing(): boolean;
  /** Bytes left on the disk of the data folder. Rejects where they are not known. */
  freeBytes(): Promise<number>;
  /** Files that may still be made on it. Rejects as well. */
  freeFiles(): Promise<number>;
  /** Monotonic milliseconds: a wall clock that is set changes no duration. */
  clock(): number;
}

/** What /readyz says. */
export interface Readiness {
  ready: boolean;
  /** Where events go: to the database, to the spool on this machine's disk until it is back, or nowhere. */
  events: 'stored' | 'spooled' | 'refused';
  /** Where lists come from; `memory`: the last good ones, for an hour, and none where there is none. */
  reads: 'database' | 'memory' | 'none';
  problems: string[];
}

const FINE: Readiness = { ready: true, events: 'stored', reads: 'database', problems: [] };
const notYet = (problem: string): Readiness => ({
  ready: false,
  events: 'refused',
  reads: 'none',
  problems: [problem],
});

const waiting = (files: number) =>
  files === 0 ? [] : [`Events wait in ${count(files, 'file')} of the spool that cannot be used now; the log says why.`];

/** Said before the first event is refused. */
async function fullDisk({ freeBytes, freeFiles }: Pick<HealthChecks, 'freeBytes' | 'freeFiles'>): Promise<string[]> {
  const leftOf = (read: () => Promise<number>) => read().catch(() => Number.POSITIVE_INFINITY);
  const [bytes, files] = [await leftOf(freeBytes), await leftOf(freeFiles)];
  if (diskRoom(bytes) !== 'full' && files >= FEW_FILES) return [];
  const left = files < FEW_FILES ? `room for ${count(files, 'more file')}, whatever their size,` : inBytes(bytes);
  return [`The disk of the data folder has ${left} left, and events are refused when it is full: make room on it.`];
}

/** The disk is full, for example. */
const cannotWrite = (problem: string | undefined): Readiness => ({
  ready: false,
  events: 'refused',
  reads: problem === undefined ? 'database' : 'memory',
  problems: [...(problem === undefined ? [] : [problem]), 'Events cannot be written; the log says why.'],
});

export function createHealth(checks: HealthChecks): Health {
  const { ping, spool, retrying, refusing, waitingFor, clock } = checks;
  let state: 'starting' | 'ready' | 'draining' = 'starting';
  let known: { until: number; found: Promise<Readiness> } = { until: 0, found: Promise.resolve(FINE) };

  function hasRoom(): boolean {
    const { spooledBytes: used, spoolRoom: room } = spool();
    return room > 0 && room >= Math.min(LITTLE_ROOM.bytes, (used + room) * LITTLE_ROOM.share);
  }

  /** Started while the database was away: events are taken, but a server that has lists is to be preferred. */
  function withoutDatabase(problem: string): Readiness {
    const events = !refusing() && hasRoom() ? 'spooled' : 'refused';
    return { ready: false, events, reads: 'none', problems: [problem] };
  }

  async function examine(): Promise<Readiness> {
    const awaited = waitingFor();
    if (awaited !== undefined) return withoutDatabase(awaited);
    const problem = await pingProblem(ping);
    if (refusing()) return cannotWrite(problem);
    if (problem === undefined) return { ...FINE, problems: [...waiting(retrying()), ...(await fullDisk(checks))] };
    if (hasRoom()) return { ready: true, events: 'spooled', reads: 'memory', problems: [problem] };
    const full = 'The spool has no room for more events.';
    return { ready: false, events: 'refused', reads: 'memory', problems: [problem, full] };
  }

  async function readiness(): Promise<Readiness> {
    if (state === 'starting') return notYet('The server is starting.');
    if (state === 'draining') return notYet('The server is stopping.');
    if (clock() >= known.until) known = { until: clock() + KEEP_MS, found: examine() };
    return known.found;
  }

  return {
    answers: {
      '/healthz': (_, response) => send(response, 200, { alive: true }),
      '/readyz': (_, response) => {
        void readiness().then((found) => send(response, found.ready ? 200 : 503, found));
      },
    },
    readiness,
    enter(next) {
      state = next;
    },
  };
}

async function pingProblem(ping: () => Promise<void>): Promise<string | undefined> {
  const asked = ping().then(
    () => undefined,
    // Other errors may name machines and users of ours.
    (error: unknown) => (error instanceof StoreUnavailableError ? error.message : 'The database does not answer.'),
  );
  return await withDeadline(asked, PATIENCE_MS, () => 'The database does not answer in time.');
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
