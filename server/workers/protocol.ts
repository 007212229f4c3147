// What crosses between a worker and its caller, and the types of a worker's methods.
import type { Transferable as NodeTransferable } from 'node:worker_threads';

export type Transferable = NodeTransferable;

/** The methods of a worker, by name; each takes at most one argument. */
export type Methods<M> = { readonly [Name in keyof M]: (argument: never) => unknown };

export type Argument<M extends Methods<M>, Name extends keyof M> = Parameters<M[Name]>[0];
export type Result<M extends Methods<M>, Name extends keyof M> = ReturnType<M[Name]>;

export interface Request {
  id: number;
  method: string;
  argument: unknown;
}

/** `error`: the message of what the method threw. */
export type Reply = { id: number; result: unknown } | { id: number; error: string };
