// A server that accepts a query and then stops answering (its machine is gone, its network is cut) is distinguished
// from one that is only slow by regular pings: the query fails within seconds, not after the longest time limit.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { StoreUnavailableError } from '../errors.ts';
import type { Engine } from './engine.ts';

/** Interval between two probes of a server that has not answered a statement yet. */
const LOOK_MS = 2_000;
/** Interval between two probes of a server that did not answer a probe. */
const PROBE_AGAIN_MS = 250;

export interface PingTarget {
  /** Host and port, for the operator. */
  name: string;
  /** For pings alone, with a short timeout. */
  client: ClickHouseClient;
}

export function withWatchdog(engine: Omit<Engine, 'away'>, { name, client }: PingTarget): Engine {
  /** One probe for all statements that wait. */
  let looking: Promise<boolean> | undefined;
  /** From a failed probe to the next that succeeds, statements are refused at once: each would wait for seconds. */
  let isSilent = false;
  let isClosed = false;

  function lives(): Promise<boolean> {
    looking ??= client
      .ping()
      .then(({ success }) => success)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  async function refuseUntilAlive(): Promise<void> {
    if (isSilent) return;
    isSilent = true;
    do await sleep(PROBE_AGAIN_MS, undefined, { ref: false });
    while (!isClosed && !(await lives()));
    isSilent = false;
  }

  async function watched<T>(begin: () => Promise<T>): Promise<T> {
    if (isSilent) throw silent(name);
    const work = begin();
    let timer: NodeJS.Timeout | undefined;
    let done = false;
    const unanswered = new Promise<never>((_, reject) => {
      const look = async () => {
        const alive = await lives();
        if (done) return;
        if (alive) timer = setTimeout(look, LOOK_MS);
        else {
          void refuseUntilAlive();
          reject(silent(name));
        }
      };
      timer = setTimeout(look, LOOK_MS);
    });
    try {
      return await Promise.race([work, unanswered]);
    } finally {
      done = true;
      clearTimeout(timer);
    }
  }

  return {
    ...engine,
    rows: (...question) => watched(() => engine.rows(...question)),
    lines: (...question) => watched(() => engine.lines(...question)),
    insert: (...rows) => watched(() => engine.insert(...rows)),
    away: async () => ((await lives()) ? [] : [name]),
    async close() {
      isClosed = true;
      await engine.close();
      await client.close();
    },
  };
}

const silent = (name: string) =>
  new StoreUnavailableError('The database does not answer.', {
    away: [name],
    cause: Object.assign(new Error(`${name} takes questions and does not answer.`), { code: 'ETIMEDOUT' }),
  });
