// `afterword move` while the server runs: made by the process that has the database open, reported line by line.
import { Hono } from 'hono';
import type { Logger } from 'pino';
import { z } from 'zod';
import { OverloadedError } from '../../errors.ts';
import type { TakingIngest } from '../../ingest/ingest.ts';
import { DiskFullError, EngineOpenError } from '../../storage/errors.ts';
import type { LiveMoveReport } from '../../storage/liveMove.ts';
import type { Store } from '../../storage/store.ts';
import { CommandError } from '../commandError.ts';
import { moveMark, withoutSecrets } from '../engineMark.ts';

export interface MoveDeps {
  store: Pick<Store, 'moves'>;
  /** The data folder. */
  data: string;
  /** Absent where a command opened the data: that command moves by itself. */
  live?:
    | {
        ingest: Pick<TakingIngest, 'pause' | 'agreeSalts'>;
        log: Logger;
        /** Aborted when the server ends. */
        stopping: AbortSignal;
        /** Called when the server uses the new database: writes what a start without it reads. */
        moved(): Promise<void>;
      }
    | undefined;
}

const body = z.object({ to: z.array(z.url({ protocol: /^https?$/ })).min(1), cluster: z.string().optional() });

/** A line of the answer. The last one is the report, or the error. */
export type MoveLine =
  | { progress: [done: number, total: number, note: string] }
  | { report: LiveMoveReport }
  | { error: string };

/** At most one line of progress in so many milliseconds. */
const SAY_AGAIN_MS = 250;

export function moveAdmin({ store, data, live }: MoveDeps): Hono {
  const admin = new Hono();
  let isUnderWay = false;

  admin.delete('/moves', async (c) => {
    if (isUnderWay) throw new CommandError('The move is under way: end the command that makes it first.');
    return c.json({ cancelled: await store.moves.cancel() });
  });
  if (live === undefined) return admin;

  async function run({ to, cluster }: z.infer<typeof body>, lines: Lines): Promise<LiveMoveReport> {
    const { ingest, log, stopping, moved } = live!;
    const name = to.map(withoutSecrets).join(', ');
    log.info({ to: name }, 'the database is being moved');
    const report = await store.moves.run({
      to: { kind: 'remote', urls: to, ...(cluster !== undefined && { cluster }) },
      name,
      progress: lines.progress,
      signal: AbortSignal.any([lines.gone, stopping]),
      pause: () => ingest.pause(),
      switched: () => moveMark(data, to),
    });
    // Before another copy can be started on the new database: it would offer a salt of its own.
    await ingest.agreeSalts();
    await moved().catch((err: unknown) =>
      log.warn({ err }, 'not every snapshot could be written; they are written as sites are read'),
    );
    const { rows, later, waited } = report;
    const next = 'set AFTERWORD_CLICKHOUSE_URL to it before the next start';
    log.info(
      { to: name, events: rows.events, later, waited },
      `the database was moved, and this server uses it: ${next}`,
    );
    return report;
  }

  admin.post('/moves', async (c) => {
    const wanted = body.parse(await c.req.json());
    if (isUnderWay) throw new CommandError('A move is under way already.');
    isUnderWay = true;
    const lines = createLines();
    void run(wanted, lines)
      .then((report) => lines.end({ report }))
      .catch((error: unknown) => {
        const isStopped = lines.gone.aborted && error instanceof Error && error.name === 'AbortError';
        if (isStopped) live.log.info('the move was stopped with its command: the same command continues');
        else lines.end({ error: inWords(error, live) });
      })
      .finally(() => {
        isUnderWay = false;
      });
    return new Response(lines.body, { headers: { 'Content-Type': 'application/x-ndjson' } });
  });
  return admin;
}

function inWords(error: unknown, { log, stopping }: NonNullable<MoveDeps['live']>): string {
  if (stopping.aborted) return 'The server is stopping. Once it runs again, the same command continues.';
  const reason = reasonOf(error);
  const what = 'the move was broken off: this server continues with the database it has';
  if (reason === undefined) log.error({ err: error }, what);
  else log.error(`${what}. ${reason}`);
  return `${reason ?? 'It failed; the server log says why.'} The server continues with the database it has.`;
}

/** @returns undefined for what was not expected: the log has its stack. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof DiskFullError)
    return 'The disk of one of the two databases is full: make room on it, then run the same command again.';
  const isExpected = [CommandError, EngineOpenError, OverloadedError].some((kind) => error instanceof kind);
  // What a database or the system says has no full stop of its own.
  return isExpected && error instanceof Error ? error.message.replace(/\.?$/, '.') : undefined;
}

interface Lines {
  body: ReadableStream<Uint8Array>;
  progress(done: number, total: number, note: string): void;
  end(line: MoveLine): void;
  /** Aborted when the client stops reading. */
  gone: AbortSignal;
}

function createLines(): Lines {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  let to: ReadableStreamDefaultController<Uint8Array>;
  let last = Number.NEGATIVE_INFINITY;
  const write = (line: MoveLine) => {
    if (!gone.signal.aborted) to.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
  };
  return {
    body: new ReadableStream({
      start(controller) {
        to = controller;
      },
      cancel: () => gone.abort(),
    }),
    progress(...progress) {
      if (performance.now() < last + SAY_AGAIN_MS) return;
      last = performance.now();
      write({ progress });
    },
    end(line) {
      write(line);
      if (!gone.signal.aborted) to.close();
    },
    gone: gone.signal,
  };
}
