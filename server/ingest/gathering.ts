// Many callers, one write: what comes while a group is being written leaves together when it is on the disk.
import { OverloadedError } from '../deps.ts';
import type { SentGroup } from './durableWriter.ts';

export interface GatheringOptions {
  /** Resolves when the next group may come; `answered` when this one's callers may be told. */
  write(group: SentGroup): Promise<{ answered: Promise<void> }>;
  /** Events whose callers wait at most; default 100,000. More are refused. */
  maxWaiting?: number;
  /** Callers that are worth a write of their own; default 50. After a group that large, the next one gathers for 10 ms. */
  busyGroup?: number;
}

export interface Gathering {
  /**
   * Resolves when the events are durable, rejects with what `write` said.
   * @param lines Of the events; as many.
   * @throws {OverloadedError} at once, when too many wait or after `drain`.
   */
  add(lines: string, events: number): Promise<void>;
  /** Events whose callers are not answered yet. */
  depth(): number;
  /** Takes no more, and resolves when everything is written. */
  drain(): Promise<void>;
}

/** Longest time a group gathers, in milliseconds: an fsync a turn of the event loop would be most of the work. */
const GATHER_MS = 10;
const PAGE_BYTES = 64 * 1024;
/** Bytes a character may take. */
const WIDEST = 3;

interface Waiting {
  resolve(): void;
  reject(error: unknown): void;
}

export function createGathering({ write, maxWaiting = 100_000, busyGroup = 50 }: GatheringOptions): Gathering {
  // Bytes, not strings: a thousand callers' lines would be most of what the garbage collector has to look at.
  let page = Buffer.allocUnsafe(PAGE_BYTES);
  let used = 0;
  let gathered = 0;
  let waiting: Waiting[] = [];
  let depth = 0;
  let draining = false;
  let running: Promise<void> | undefined;
  let wake: (() => void) | undefined;

  /** The next group leaves when the last is on the disk; a lonely one leaves at once. */
  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const callers = waiting;
      await commit(callers, nextGroup());
      if (callers.length >= busyGroup) await gather();
    }
    // In the same turn as the last look: what is added a moment later must find nobody running.
    running = undefined;
  }

  function nextGroup(): SentGroup {
    const group = { text: page.subarray(0, used), events: gathered, senders: waiting.length };
    page = Buffer.allocUnsafe(Math.max(PAGE_BYTES, used));
    used = 0;
    gathered = 0;
    waiting = [];
    return group;
  }

  async function commit(callers: readonly Waiting[], group: SentGroup): Promise<void> {
    const done = (tell: (caller: Waiting) => void) => {
      depth -= group.events;
      callers.forEach(tell);
    };
    try {
      const { answered } = await write(group);
      answered.then(
        () => done((caller) => caller.resolve()),
        (error: unknown) => done((caller) => caller.reject(error)),
      );
    } catch (error) {
      done((caller) => caller.reject(error));
    }
  }

  function gather(): Promise<void> {
    if (draining) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function put(lines: string): void {
    const most = used + lines.length * WIDEST;
    if (most > page.length) {
      const larger = Buffer.allocUnsafe(Math.max(most, page.length * 2));
      page.copy(larger, 0, 0, used);
      page = larger;
    }
    used += page.write(lines, used);
  }

  return {
    add(lines, events) {
      if (events === 0) return Promise.resolve();
      if (draining) throw new OverloadedError('The server is shutting down.');
      if (depth + events > maxWaiting) throw new OverloadedError('Too many events wait to be written.');
      put(lines);
      depth += events;
      gathered += events;
      const done = new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }));
      running ??= run();
      return done;
    },
    depth: () => depth,
    async drain() {
      draining = true;
      wake?.();
      await running;
    },
  };
}
