// One RPC for worker threads and child processes: typed methods, an id for each call, transfer lists, errors and
// deadlines.
//
//   const index = openThread<IndexMethods>(file, { name: 'index' });
//   const cards = await index.call('take', lines, { transfer: [lines.buffer] });
//   await index.end();
//
// and in the worker:
//
//   serveMethods<IndexMethods>({ take: (lines) => transferred(cards, [cards.bytes.buffer]), … });
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../errors.ts';
import type { Argument, Methods, Reply, Request, Result, Transferable } from './protocol.ts';

/**
 * `failed`: the method threw, or its argument cannot be sent. `ended`: the worker ended before it answered. `timeout`:
 * it was late, and was ended.
 */
export type WorkerFailure = 'failed' | 'ended' | 'timeout';

/** Raised by `call`. Nothing is lost but what was transferred. */
export class WorkerError extends Error {
  override name = 'WorkerError';
  readonly reason: WorkerFailure;

  constructor(reason: WorkerFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export interface CallOptions {
  /** Transferred to a thread; detached in the caller. A process is sent copies. */
  transfer?: Transferable[];
  /** Milliseconds until the worker is ended and the call fails with `timeout`. Default: no deadline. */
  timeout?: number;
}

export interface RemoteWorker<M extends Methods<M>> {
  /** Calls a method; a worker may be called again before it has answered. @throws {WorkerError} */
  call<Name extends keyof M & string>(
    name: Name,
    argument: Argument<M, Name>,
    options?: CallOptions,
  ): Promise<Result<M, Name>>;
  /** Calls that are not answered yet. */
  readonly pending: number;
  /** Resolves when the worker has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends the worker at once; calls that are not answered fail with `ended`. */
  end(): Promise<void>;
}

export interface ThreadOptions {
  /** What the thread makes, for its errors and for lists of threads. */
  name: string;
  /** Megabytes of the JavaScript heap, beyond which the thread ends. Default: those of Node.js. */
  maxHeapMb?: number;
  /** Whether the caller's process may exit while the thread is open. Default: false. */
  background?: boolean;
}

/** @param file The thread as it was built: no loader of this process's sources is passed on. */
export function openThread<M extends Methods<M>>(file: URL, options: ThreadOptions): RemoteWorker<M> {
  const { name, maxHeapMb, background = false } = options;
  const resourceLimits = maxHeapMb === undefined ? {} : { maxOldGenerationSizeMb: maxHeapMb };
  const calls = createCalls(`The ${name} thread`);
  let worker: Worker;
  try {
    worker = new Worker(file, { name, execArgv: [], resourceLimits });
  } catch (error) {
    return notStarted(calls, error);
  }
  if (background) worker.unref();
  worker.on('message', calls.settle);
  worker.on('error', (error) => calls.fail('failed', error));
  worker.on('messageerror', (error) => calls.fail('sent what cannot be read', error));
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      calls.fail('ended');
      resolve();
    });
  });
  return toRemote(calls, ended, {
    send: (request, transfer) => worker.postMessage(request, transfer),
    kill: () => void worker.terminate(),
  });
}

/**
 * A process does not keep the caller's alive.
 * @param file The process as it was built.
 * @param options.env Its environment.
 */
export function openProcess<M extends Methods<M>>(
  file: URL,
  { name, env }: { name: string; env: NodeJS.ProcessEnv },
): RemoteWorker<M> {
  const calls = createCalls(`The ${name} process`);
  let child: ChildProcess;
  try {
    child = fork(fileURLToPath(file), [], {
      env,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  } catch (error) {
    return notStarted(calls, error);
  }
  child.unref();
  child.channel?.unref();
  child.on('message', calls.settle);
  child.on('error', (error) => calls.fail(`failed (${error.message})`, error));
  const ended = once(child, 'exit').then(
    () => calls.fail('ended'),
    () => undefined,
  );
  return toRemote(calls, ended, {
    send(request) {
      // Where no descriptor is free there is no channel; the error comes as an event.
      if (child.channel === undefined) return;
      child.send(request, (error) => {
        if (error) calls.fail(`cannot be reached (${error.message})`, error);
      });
    },
    kill: () => void child.kill('SIGKILL'),
  });
}

/** Of a worker that the system had no memory or no room for: every call fails. */
function notStarted<M extends Methods<M>>(calls: Calls, error: unknown): RemoteWorker<M> {
  calls.fail(`could not be started (${messageOf(error)})`, error);
  return toRemote(calls, Promise.resolve(), { send: () => {}, kill: () => {} });
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: WorkerError): void;
  deadline: NodeJS.Timeout | undefined;
}

type Calls = ReturnType<typeof createCalls>;

/** Calls that wait for their replies, by id. @param worker The worker, as the subject of a sentence. */
function createCalls(worker: string) {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let failure: WorkerError | undefined;

  function take(id: number): Pending | undefined {
    const call = pending.get(id);
    pending.delete(id);
    clearTimeout(call?.deadline);
    return call;
  }

  return {
    get size() {
      return pending.size;
    },
    /** @param late Called when the deadline has passed. @throws {WorkerError} when the worker has ended. */
    add(timeout: number | undefined, late: () => void): { id: number; reply: Promise<unknown> } {
      if (failure) throw failure;
      const id = ++lastId;
      const expire = () => {
        take(id)?.reject(new WorkerError('timeout', `${worker} takes longer than ${timeout} ms.`));
        late();
      };
      const reply = new Promise<unknown>((resolve, reject) => {
        const deadline = timeout === undefined ? undefined : setTimeout(expire, timeout);
        pending.set(id, { resolve, reject, deadline });
      });
      return { id, reply };
    },
    settle(reply: Reply): void {
      const call = take(reply.id);
      if ('error' in reply) call?.reject(new WorkerError('failed', reply.error));
      else call?.resolve(reply.result);
    },
    /** Fails a call whose argument cannot be sent: a function, or bytes that were transferred before. */
    refuse(id: number, cause: unknown): void {
      const why = messageOf(cause);
      take(id)?.reject(new WorkerError('failed', `${worker} cannot be sent the argument (${why}).`, { cause }));
    },
    /** Fails the calls under way, and every later one. */
    fail(message: string, cause?: unknown): void {
      failure ??= new WorkerError('ended', `${worker} ${message}.`, { cause });
      for (const id of [...pending.keys()]) take(id)?.reject(failure);
    },
  };
}

function toRemote<M extends Methods<M>>(
  calls: Calls,
  ended: Promise<void>,
  { send, kill }: { send(request: Request, transfer: Transferable[]): void; kill(): void },
): RemoteWorker<M> {
  return {
    async call(method, argument, { transfer = [], timeout } = {}) {
      const { id, reply } = calls.add(timeout, kill);
      try {
        send({ id, method, argument }, transfer);
      } catch (error) {
        calls.refuse(id, error);
      }
      // `serveMethods` checks the same types on the other side.
      return (await reply) as Result<M, typeof method>;
    },
    get pending() {
      return calls.size;
    },
    ended,
    async end() {
      kill();
      await ended;
    },
  };
}
