// The worker's side of the RPC: runs the methods it is called with, and sends back what they return.
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../errors.ts';
import type { Argument, Methods, Reply, Request, Result, Transferable } from './protocol.ts';

/** A result with the buffers that are transferred with it; they are detached in the worker. */
class Transferred<Value> {
  readonly value: Value;
  readonly buffers: Transferable[];

  constructor(value: Value, buffers: Transferable[]) {
    this.value = value;
    this.buffers = buffers;
  }
}

/** @param buffers Transferred to the caller; processes send copies instead. */
export const transferred = <Value>(value: Value, buffers: Transferable[]): Transferred<Value> =>
  new Transferred(value, buffers);

/** The buffers of an object of typed arrays, to be transferred with it. */
export const buffersOf = (arrays: object): ArrayBuffer[] =>
  Object.values(arrays as Record<string, Uint8Array<ArrayBuffer>>).map(({ buffer }) => buffer);

type Returned<Value> = Value | Transferred<Value>;

/** Methods as a worker implements them. They are called as requests arrive, while earlier ones may be under way. */
export type Handlers<M extends Methods<M>> = {
  [Name in keyof M]: (argument: Argument<M, Name>) => Returned<Result<M, Name>> | Promise<Returned<Result<M, Name>>>;
};

interface Channel {
  receive(listener: (request: Request) => void): void;
  send(reply: Reply, transfer: Transferable[]): void;
}

/** Serves the thread that opened this one; does nothing in the main thread of a process. */
export function serveMethods<M extends Methods<M>>(handlers: Handlers<M>): void {
  serve(handlers, {
    receive: (listener) => void parentPort?.on('message', listener),
    send: (reply, transfer) => parentPort?.postMessage(reply, transfer),
  });
}

/** Serves the process that opened this one. */
export function serveProcessMethods<M extends Methods<M>>(handlers: Handlers<M>): void {
  serve(handlers, {
    receive: (listener) => void process.on('message', listener),
    send: (reply) => void process.send?.(reply),
  });
}

function serve<M extends Methods<M>>(handlers: Handlers<M>, { receive, send }: Channel): void {
  receive(async ({ id, method, argument }) => {
    try {
      const returned = await handlers[method as keyof M](argument as Argument<M, keyof M>);
      if (returned instanceof Transferred) send({ id, result: returned.value }, returned.buffers);
      else send({ id, result: returned }, []);
    } catch (error) {
      send({ id, error: messageOf(error) }, []);
    }
  });
}
