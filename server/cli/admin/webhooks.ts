// The webhook of a site as commands set and remove it.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import type { SiteId } from '../../sites/site.ts';
import { createWebhookSecret, parseWebhookUrl } from '../../sites/webhook.ts';
import { CommandError } from '../commandError.ts';
import { requireSite } from './sites.ts';

/** What signs the messages is shown for the only time. */
export interface WebhookInfo {
  apikey: SiteId;
  url: string | null;
  secret?: string;
}

const body = z.object({ url: z.string() });

export function webhookAdmin({ sites }: Pick<Deps, 'sites'>): Hono {
  const admin = new Hono();

  admin.post('/sites/:id/webhook', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const webhook = { url: requireUrl(body.parse(await c.req.json()).url), secret: createWebhookSecret() };
    await sites.change(site.id, (current) => ({ ...current, webhook }));
    return c.json({ apikey: site.id, ...webhook } satisfies WebhookInfo);
  });

  admin.delete('/sites/:id/webhook', async (c) => {
    const { id } = requireSite(sites, c.req.param('id'));
    await sites.change(id, ({ webhook: _, ...site }) => site);
    return c.json({ apikey: id, url: null } satisfies WebhookInfo);
  });

  return admin;
}

function requireUrl(text: string): string {
  const url = parseWebhookUrl(text);
  if (url !== undefined) return url;
  throw new CommandError(
    `A webhook is an http or https address without user and password, not "${text.slice(0, 100)}".`,
    2,
  );
}
