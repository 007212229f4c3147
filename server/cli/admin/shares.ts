// Links to views of the console as commands list and revoke them.
import { Hono } from 'hono';
import type { Grant } from '../../console/oidc/grants.ts';
import { validViews } from '../../console/shares.ts';
import type { Deps } from '../../context.ts';
import { CommandError } from '../commandError.ts';
import { requireSite } from './sites.ts';

export interface ShareInfo {
  id: string;
  name: string;
  /** The query of the address of the console that it shows. */
  search: string;
  created: string;
  until: string;
}

export interface ShareDeps extends Pick<Deps, 'now' | 'sites' | 'store'> {
  /** Of accounts at an OpenID Connect provider. Absent where a command opened the data: a server alone has them. */
  grants?: readonly Grant[] | undefined;
}

export function shareAdmin({ now, sites, store, grants = [] }: ShareDeps): Hono {
  const admin = new Hono();

  admin.get('/sites/:id/shares', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const operator = (await store.operatorTokens.find())?.hash;
    const valid = validViews(await store.sharedViews.list(site.id), { site, operator, grants, now: now() });
    const infos: ShareInfo[] = valid.map(({ id, name, search, createdAt, until }) => ({
      id,
      name,
      search,
      created: new Date(createdAt).toISOString(),
      until: new Date(until).toISOString(),
    }));
    return c.json(infos);
  });

  admin.delete('/sites/:id/shares/:share', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const share = c.req.param('share');
    const revoked = await store.sharedViews.revoke(site.id, share, now());
    if (revoked !== undefined) return c.json({ id: revoked.id, name: revoked.name });
    throw new CommandError(`${site.id} has no link ${share}. afterword share list ${site.id} lists those it has.`);
  });

  return admin;
}
