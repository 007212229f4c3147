// Messages of an assistant that was started on the server's machine: access to the socket is access to the data.
import { Hono } from 'hono';
import type { Deps } from '../../context.ts';
import type { Assistant } from '../../mcp/assistant.ts';
import { requireSite } from './sites.ts';

/** The protocol asks for them over HTTP. */
const HEADERS = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };

export function assistantAdmin({ sites, assistant }: Pick<Deps, 'sites'> & { assistant: Assistant }): Hono {
  const admin = new Hono();

  admin.post('/sites/:id/assistant', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const message = (await c.req.json()) as object;
    const request = new Request(c.req.url, { method: 'POST', headers: HEADERS });
    return await assistant.answer(request, message, { site, mayAct: c.req.query('act') === '1' });
  });

  return admin;
}
