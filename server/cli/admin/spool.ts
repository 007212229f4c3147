// What of the write-ahead log is not counted, as the command lists it and has it tried again.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Spool } from '../../ingest/queue/spool.ts';

const body = z.object({ files: z.array(z.string()).optional() });

export function spoolAdmin(spool: Spool): Hono {
  const admin = new Hono();
  admin.get('/spool', async (c) => c.json(await spool.report()));
  admin.post('/spool/retry', async (c) => {
    const { files } = body.parse(await c.req.json());
    return c.json(await spool.retry(files));
  });
  return admin;
}
