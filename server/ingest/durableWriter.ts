// A group is written to the engine; while that is away, slow or full, to the spool, which empties itself in order. Before it goes
// to the engine it is noted in the journal: an insert reaches the table first and each roll-up after it, and when the power goes
// in between, the next start writes the group again, under its token, into those that lack it.
import type { Logger } from 'pino';
import { OverloadedError } from '../deps.ts';
import type { Spool, SpooledGroup } from './spool.ts';
import { UnwritableRowsError } from './unwritable.ts';

export interface DurableWriterOptions<Row> {
  /** Writes to the engine, and settles in the end. Under a token it has seen, nothing changes. */
  append(rows: readonly Row[], token: string): Promise<void>;
  /** Without one, nothing is taken while the engine is away. */
  spool: Spool<Row> | undefined;
  /** Holds the group that is under way; what an earlier process left in it is written first. Without one, see above. */
  journal?: Spool<Row> | undefined;
  log: Logger;
  /** How long callers wait for the engine before their group goes to the spool; default 5,000 ms. */
  deadlineMs?: number;
  /** First and longest pause between attempts while the engine is away; default 250 and 5,000 ms. */
  retryMs?: readonly [first: number, longest: number];
}

export interface DurableWriter<Row> {
  /** Resolves when what an earlier process left in the journal is in the engine, or the engine does not take it now. */
  recovered: Promise<void>;
  /**
   * Resolves when the rows are on a disk.
   * @throws {OverloadedError} when they certainly are not.
   * @throws {InDoubtError} when they may be: they are tried again until it is known.
   */
  write(rows: readonly Row[], token: string): Promise<void>;
  /** Stops trying; what is in the spool stays there for the next start. */
  close(): Promise<void>;
}

/** The rows may be stored or not. `settled` resolves when they are, and rejects when that will not be known any more. */
export class InDoubtError extends OverloadedError {
  override name = 'InDoubtError';
  readonly settled: Promise<void>;

  constructor(settled: Promise<void>) {
    super('Neither the engine nor the spool could take the events.');
    this.settled = settled;
  }
}

export function createDurableWriter<Row>(options: DurableWriterOptions<Row>): DurableWriter<Row> {
  const { append, spool, journal, log, deadlineMs = 5000, retryMs = [250, 5000] } = options;
  const attempts = new Map<string, Promise<void>>();
  /** Groups of an earlier process in the journal. */
  let left = journal?.size().groups ?? 0;
  let closed = false;
  let away = false;
  let replaying: Promise<void> | undefined;
  let settling: Promise<void> | undefined;
  let wake: (() => void) | undefined;
  let tellRecovered: (() => void) | undefined;

  /** One attempt a token at a time: against a slow engine, more of them would only be more to wait for. */
  function attempt(rows: readonly Row[], token: string): Promise<void> {
    const known = attempts.get(token);
    if (known) return known;
    const promise = append(rows, token).finally(() => attempts.delete(token));
    attempts.set(token, promise);
    // Nobody may be waiting any more when it fails.
    promise.catch(() => undefined);
    return promise;
  }

  async function toEngine(rows: readonly Row[], token: string): Promise<void> {
    try {
      await within(deadlineMs, attempt(rows, token));
    } catch (error) {
      if (!away) log.error({ err: error, spooling: spool !== undefined }, 'the engine does not take events');
      away = true;
      throw error;
    }
    if (away) log.info(spool?.size() ?? {}, 'the engine takes events again');
    away = false;
  }

  async function toSpool(rows: readonly Row[], token: string): Promise<void> {
    if (!spool) throw new OverloadedError('The engine is away, and there is no spool.');
    try {
      await spool.add(rows, token);
    } catch (error) {
      log.error({ err: error, ...spool.size() }, 'the spool does not take events');
      throw new OverloadedError('Neither the engine nor the spool takes events.', { cause: error });
    }
    startReplay();
  }

  async function write(rows: readonly Row[], token: string): Promise<void> {
    if (settling) throw new OverloadedError('Earlier events are in doubt: none are taken until that is settled.');
    // In order: behind a group that waits, the next one waits too.
    if (spool && behind() > 0) return await toSpool(rows, token);
    const noted = await note(rows, token);
    try {
      await toEngine(rows, token);
    } catch {
      // Logged above. Under its token the group can be written again without harm, wherever the first attempt ended.
      await toSpool(rows, token).catch(() => doubt(rows, { token, noted }));
    }
    await noted?.remove();
  }

  /** @returns undefined where the disk does not take it: the engine may have one of its own. */
  async function note(rows: readonly Row[], token: string): Promise<SpooledGroup<Row> | undefined> {
    try {
      await journal?.add(rows, token);
      return journal?.oldest();
    } catch (error) {
      log.error({ err: error }, 'the journal of events cannot be written');
      return undefined;
    }
  }

  const behind = () => left + (spool?.size().groups ?? 0);
  const next = () => (left > 0 ? journal?.oldest() : spool?.oldest());

  function doubt(
    rows: readonly Row[],
    { token, noted }: { token: string; noted: SpooledGroup<Row> | undefined },
  ): never {
    const settled = retry(async () => {
      await toEngine(rows, token).catch(() => toSpool(rows, token));
      await noted?.remove();
    });
    settling = settled.finally(() => {
      settling = undefined;
    });
    // Whoever waits for it hears of it by the error's own promise.
    settling.catch(() => undefined);
    throw new InDoubtError(settled);
  }

  function startReplay(): void {
    if (behind() > 0 && !replaying && !closed) replaying = replay();
  }

  async function replay(): Promise<void> {
    try {
      while (behind() > 0 && !closed) await retry(empty);
    } catch (error) {
      log.info({ err: error, groups: behind() }, 'events stay in the spool');
    }
    // In the same turn as the last look: a group added a moment later must find nobody at work.
    replaying = undefined;
  }

  async function empty(): Promise<void> {
    for (let group = next(); group && !closed; group = next()) {
      try {
        await toEngine(await group.read(), group.token);
        await group.remove();
      } catch (error) {
        if (!(error instanceof UnwritableRowsError)) throw error;
        log.error({ err: error, file: await group.setAside() }, 'events the engine will never take were set aside');
      }
      if (left > 0) left -= 1;
      if (left === 0) tellRecovered?.();
    }
  }

  /** Until it works, or `close`. */
  async function retry(work: () => Promise<void>): Promise<void> {
    for (let pause = retryMs[0]; ; pause = Math.min(pause * 2, retryMs[1])) {
      try {
        return await work();
      } catch (error) {
        tellRecovered?.();
        if (closed) throw error;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pause);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
  }

  const recovered = left > 0 ? new Promise<void>((resolve) => (tellRecovered = resolve)) : Promise.resolve();
  startReplay();
  return {
    recovered,
    write,
    async close() {
      closed = true;
      wake?.();
      await Promise.allSettled([replaying, settling]);
    },
  };
}

async function within(ms: number, promise: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The engine did not answer within ${ms} ms.`)), ms);
  });
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
