// GET /v2/validate/secret: whether a Site ID and its secret belong together. Plugins ask before they save them.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../context.ts';
import type { HttpEnv } from '../http/auth.ts';
import { get } from '../http/endpoint.ts';

export function validate(deps: Pick<Deps, 'sites' | 'now'>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  get(app, deps, {
    path: '/validate/secret',
    guard: 'secret',
    summary: 'Whether the Site ID and the secret belong together.',
    params: z.object({}),
    answer: async () => ({ success: true }),
  });
  return app;
}
