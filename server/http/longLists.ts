// A semaphore over long lists. A thousand concurrent ones would all be made before the event loop writes, counts or
// closes anything: a list of two thousand records occupies megabytes of objects while it is made, and a third of one as
// text. So only a few run concurrently, one starts per turn of the event loop, and requests beyond a bounded queue are
// refused.
import type { Context, MiddlewareHandler } from 'hono';
import { OverloadedError } from '../errors.ts';
import type { HttpEnv } from './auth.ts';
import { bindingsOf } from './bindings.ts';

/** Shorter lists are small and take about a millisecond: they bypass the semaphore. */
const LONG = 100;
/** More than one, so that a site whose index is still loading does not block the others. */
const UNDER_WAY = 4;
/** The longest lists take about 20 ms of processor time: the last in the queue waits for about four seconds. */
const WAITING = 200;

export interface LongLists {
  /** Adds the semaphore to the context of the request. */
  middleware: MiddlewareHandler<HttpEnv>;
  /**
   * The result of `make`; a long list waits until the semaphore admits it.
   * @throws {OverloadedError} when the queue is full, or when the connection is closed before.
   */
  make<T>(c: Context<HttpEnv>, list: { limit: number; page: number }, make: () => Promise<T>): Promise<T>;
}

export interface LongListLimits {
  /** Maximum of concurrent lists. Default: 4. */
  underWay?: number;
  /** Maximum of waiting lists. Default: 200. */
  waiting?: number;
}

export function createLongLists(limits: LongListLimits = {}): LongLists {
  const { underWay: mostUnderWay = UNDER_WAY, waiting: mostWaiting = WAITING } = limits;
  const waiting: (() => void)[] = [];
  let underWay = 0;

  async function acquire(c: Context<HttpEnv>): Promise<void> {
    if (underWay < mostUnderWay && waiting.length === 0) {
      underWay++;
      return;
    }
    if (waiting.length >= mostWaiting) throw new OverloadedError('Too many long lists are waited for.');
    await new Promise<void>((admit) => waiting.push(admit));
    if (isGone(c)) {
      release();
      throw new OverloadedError('The connection was closed before its list was made.');
    }
  }

  /**
   * The next list starts in the next turn of the event loop: between two lists, answers are written and connections are
   * closed.
   */
  function release(): void {
    setImmediate(() => {
      const admit = waiting.shift();
      if (admit === undefined) underWay--;
      else admit();
    });
  }

  const self: LongLists = {
    async middleware(c, next) {
      c.set('longLists', self);
      await next();
    },
    async make(c, { limit, page }, make) {
      if (limit * page <= LONG) return await make();
      await acquire(c);
      try {
        return await make();
      } finally {
        release();
      }
    },
  };
  return self;
}

/** The result of `make`, through the semaphore where there is one. */
export function makeList<T>(
  c: Context<HttpEnv>,
  list: { limit: number; page: number },
  make: () => Promise<T>,
): Promise<T> {
  return c.get('longLists')?.make(c, list, make) ?? make();
}

/** Without node:http there is no connection to check. */
function isGone(c: Context<HttpEnv>): boolean {
  return bindingsOf(c).outgoing?.destroyed === true;
}
