// Erases visitors.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { MAX_VISITOR_ID } from '../../contract/limits.ts';
import { UNIDENTIFIED, VisitorIds } from '../../ingest/steps/visitorId.ts';
import type { SiteId } from '../../sites/site.ts';
import { CommandError } from '../commandError.ts';
import { findSetAside, type SetAside, type SettleDeps, settle } from './settle.ts';
import { requireSite } from './sites.ts';

/** The profiles in memory are those of a running server. */
export type VisitorDeps = Pick<Deps, 'sites' | 'store'> & SettleDeps & { profiles?: Pick<Deps['profiles'], 'forget'> };

const request = z.object({ visitor: z.string().min(1).max(MAX_VISITOR_ID), site: z.string().optional() });

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
  /** What was not looked at. */
  aside?: SetAside | undefined;
}

export function visitorAdmin({ sites, store, profiles, ingest, spool }: VisitorDeps): Hono {
  const admin = new Hono();

  admin.post('/forget', async (c) => {
    const { visitor: uuid, site } = request.parse(await c.req.json());
    if (visitorOf('', uuid) === UNIDENTIFIED)
      throw new CommandError(`${uuid} is the mark of readers who are not identified: no event is stored as theirs.`, 2);
    const asked = site === undefined ? sites.list() : [requireSite(sites, site)];
    // Events of the visitor that are in no table yet would be there after the erasure.
    const waiting = await settle({ ingest, spool });
    const aside = await findSetAside({ spool });
    const forgotten: Forgotten[] = [];
    for (const { id } of asked) {
      const visitor = visitorOf(id, uuid);
      forgotten.push({ apikey: id, ...(await store.visitors.forget(id, { visitor, uuid })) });
      profiles?.forget(id, uuid);
    }
    return c.json({ forgotten, waiting, aside } satisfies Erasure);
  });

  return admin;
}

/** Hash of a visitor as it is stored with events. */
const visitorOf = (site: string, siteUuid: string): string =>
  new VisitorIds().of(site, { siteUuid, ip: '', userAgent: '' }, '');
