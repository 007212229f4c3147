// The state of a running server for the operator's page: the figures of its metrics, and what the doctor finds.
import process from 'node:process';
import type { Finding } from '../checkup/finding.ts';
import type { ServerRecord } from '../contract/operator.ts';
import type { Ingest } from '../ingest/types.ts';
import type { WatchedInstallation } from '../metrics/installation.ts';
import type { LoadedReadership } from '../readers/readership.ts';
import type { LoadedLibrary } from '../siteIndex/types.ts';
import type { Quotas } from '../sites/quotas.ts';
import { createReport, type ReportDeps } from './admin/report.ts';
import { examineMachine } from './doctor/machine.ts';
import { examinePublicAddress } from './doctor/publicAddress.ts';
import { examineReport } from './doctor/report.ts';
import type { Health } from './health.ts';

export interface StateOptions extends Omit<ReportDeps, 'quotas' | 'ingest' | 'library'> {
  library: LoadedLibrary;
  readership: Pick<LoadedReadership, 'sizes'>;
  ingest: Pick<Ingest, 'counts' | 'backlog'>;
  quotas: Pick<Quotas, 'uses'>;
  /** Data folder. */
  data: string;
  /** Where readers reach the server. */
  url: string;
  machine: Omit<WatchedInstallation, 'readiness'> & Pick<Health, 'readiness'>;
  clock(): number;
}

/** Findings are kept so long: they ask the database and the public address. */
const FRESH_MS = 5_000;

/** Of one kind, such as traffic of a thousand sites; the others are counted. */
const MOST_OF_A_KIND = 20;

const RANKS: Readonly<Record<Finding['state'], number>> = { problem: 0, warning: 1, ok: 2 };

/** @returns Reads the state now. */
export function createServerState(options: StateOptions): () => Promise<ServerRecord> {
  const { now, store, library, readership, ingest, machine, clock } = options;
  const started = now();
  const findings = shared(() => examine(options), clock);
  return async () => {
    const [{ events, reads, problems }, size, free, backup, found] = await Promise.all([
      machine.readiness(),
      store.size().catch(() => null),
      machine.freeBytes().catch(() => null),
      machine.lastBackup().catch(() => undefined),
      findings(),
    ]);
    const { waiting, spooledEvents, spooledBytes, spooledFor, spoolRoom } = ingest.backlog();
    return {
      now: toIso(now()),
      version: machine.version,
      node: process.versions.node,
      started: toIso(started),
      memory: process.memoryUsage.rss(),
      ...{ events, reads, problems },
      queue: {
        waiting,
        events: spooledEvents,
        bytes: spooledBytes,
        seconds: Math.round(spooledFor / 1000),
        room: spoolRoom,
      },
      database: size,
      inside: !store.isShared(),
      free,
      indexes: { ...library.sizes(), loading: library.loading().length, readers: readership.sizes().bytes },
      last_backup: backup === undefined ? null : toIso(backup),
      findings: found,
    };
  };
}

/** Everything that `afterword doctor` looks at, the worst first. Quotas are as they were counted last. */
async function examine({ data, url, quotas, ...deps }: StateOptions): Promise<Finding[]> {
  const report = createReport({ ...deps, quotas: { uses: quotas.uses, read: async () => quotas.uses() } });
  const [machine, service, address] = await Promise.all([
    examineMachine(data),
    report().then(examineReport),
    examinePublicAddress(url),
  ]);
  return [...machine, ...bounded(service), address].sort((a, b) => RANKS[a.state] - RANKS[b.state]);
}

function bounded(findings: readonly Finding[]): Finding[] {
  const kinds = new Map<string, Finding[]>();
  for (const finding of findings) {
    const kind = `${finding.state} ${finding.about}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), finding]);
  }
  return [...kinds.values()].flatMap((ofKind) => {
    const left = ofKind.length - MOST_OF_A_KIND;
    if (left <= 0) return ofKind;
    const { about, state } = ofKind[0]!;
    return [...ofKind.slice(0, MOST_OF_A_KIND), { about, state, says: `${left} more: afterword doctor prints all.` }];
  });
}

/** One at a time: all who ask meanwhile, and for some seconds more, share its result. */
function shared<T>(make: () => Promise<T>, clock: () => number): () => Promise<T> {
  let kept: { until: number; made: Promise<T> } | undefined;
  return () => {
    if (kept !== undefined && clock() < kept.until) return kept.made;
    const entry = { until: Number.POSITIVE_INFINITY, made: make() };
    kept = entry;
    const done = (ms: number) => () => {
      entry.until = clock() + ms;
    };
    entry.made.then(done(FRESH_MS), done(0));
    return entry.made;
  };
}

const toIso = (time: number) => new Date(time).toISOString();
