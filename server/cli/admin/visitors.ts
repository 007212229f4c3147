// Erases visitors.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { VisitorIds } from '../../ingest/steps/visitorId.ts';
import type { SiteId } from '../../sites/site.ts';
import { type SettleDeps, settle } from './settle.ts';
import { requireSite } from './sites.ts';

/** The profiles in memory are those of a running server. */
export type VisitorDeps = Pick<Deps, 'sites' | 'store'> & SettleDeps & { profiles?: Pick<Deps['profiles'], 'forget'> };

const request = z.object({ visitor: z.string().min(1).max(1024), site: z.string().optional() });

/** What was erased, by site. */
export interface Forgotten {
  apikey: SiteId;
  events: number;
  visits: number;
}

export interface Erasure {
  forgotten: Forgotten[];
  /** Acknowledged events, of whatever visitor, that are in no table yet: some may be of this one. */
  waiting: number;
}

export function visitorAdmin({ sites, store, profiles, ingest, spool }: VisitorDeps): Hono {
  const admin = new Hono();

  admin.post('/forget', async (c) => {
    const { visitor: uuid, site } = request.parse(await c.req.json());
    const asked = site === undefined ? sites.list() : [requireSite(sites, site)];
    // Events of the visitor that are in no table yet would be there after the erasure.
    const waiting = await settle({ ingest, spool });
    const forgotten: Forgotten[] = [];
    for (const { id } of asked) {
      const visitor = new VisitorIds().of(id, { siteUuid: uuid, ip: '', userAgent: '' }, '');
      forgotten.push({ apikey: id, ...(await store.visitors.forget(id, { visitor, uuid })) });
      profiles?.forget(id, uuid);
    }
    return c.json({ forgotten, waiting } satisfies Erasure);
  });

  return admin;
}
