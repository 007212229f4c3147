// The code in the body of an answer. Most refusals have HTTP status 200 and their code only in the body; request
// counters read it here.
import type { Context } from 'hono';
import { bindingsOf } from './bindings.ts';

const said = new WeakMap<object, number>();

/** Records the code of an error body. */
export function noteOutcome(c: Context, code: number): void {
  const { outgoing } = bindingsOf(c);
  if (outgoing !== undefined) said.set(outgoing, code);
}

/** The code in the body of an answer; undefined where it is no error of the interface. */
export function outcomeOf(response: object): number | undefined {
  return said.get(response);
}
