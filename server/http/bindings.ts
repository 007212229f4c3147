// The request and the answer of node:http behind a request of the framework.
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** Empty where a request is made inside the process, without a connection. */
export const bindingsOf = ({ env }: Pick<Context, 'env'>): Partial<HttpBindings> =>
  (env ?? {}) as Partial<HttpBindings>;
