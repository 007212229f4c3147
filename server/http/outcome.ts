// Most refusals travel with HTTP 200 and say so in their body only. Whoever counts requests reads here what was really said.
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

const said = new WeakMap<object, number>();

/** Notes the code of a body that is an error. */
export function noteOutcome(c: Context, code: number): void {
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
  if (outgoing !== undefined) said.set(outgoing, code);
}

/** The code the body of an answer carries; undefined where it is no error of the interface. */
export function outcomeOf(response: object): number | undefined {
  return said.get(response);
}
