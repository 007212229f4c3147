// Guards: who is asked about, and may the asker know. They publish the site for what comes after them.
//
//   app.get('/related', requireSite(deps), handler)      public: a known Site ID is enough
//   app.get('/exclude/list', requireSecret(deps), …)     a known Site ID and its secret
//   c.get('site')                                        → Site
//   secretOf(c, query)                                   the secret, from the query or from `Authorization: Bearer`
import type { Context, MiddlewareHandler } from 'hono';
import { SITE_ID_PARAMS } from '../contract/limits.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import { opens } from '../sites/secrets.ts';
import type { Site } from '../sites/site.ts';
import type { Coded } from './compression.ts';
import { Forbidden } from './errors.ts';
import type { LastGood } from './lastGood.ts';
import type { LongLists } from './longLists.ts';
import { last, type Query, readQuery } from './query.ts';

/** What the guards and the query reader leave on the request's context. */
export interface HttpEnv {
  Variables: {
    site: Site;
    query: Query;
    lastGood?: LastGood;
    /** Absent where lists are not bounded. */
    longLists?: LongLists;
    /** Codings of the answer's body, where that is kept in memory: made once for all requests. */
    coded?: Coded;
    /** Charges the asker's rate for a request that costs more than one. Absent where no rate is set. */
    charge?: (requests: number) => void;
  };
}

/** RFC 6750, section 2.1. */
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;

/** The secret of an `Authorization: Bearer` header; of other schemes nothing. */
export const bearerOf = (c: Context): string | undefined => BEARER.exec(c.req.header('Authorization') ?? '')?.[1];

/** The secret a request comes with. The query wins: a gateway in front may need the header for itself. */
export const secretOf = (c: Context, query: Query): string | undefined => last(query, 'secret') ?? bearerOf(c);

/** The site a query names, under any of the parameter's names. */
export function findSite(sites: SiteDirectory, query: Query): Site | undefined {
  for (const name of SITE_ID_PARAMS) {
    const id = last(query, name);
    if (id !== undefined) return sites.find(id);
  }
  return undefined;
}

/** Lets requests about a known site pass; a secret is ignored. */
export function requireSite(deps: { sites: SiteDirectory }): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const query = readQuery(c.req.url);
    const site = findSite(deps.sites, query);
    if (!site) throw new Forbidden();
    c.set('query', query);
    c.set('site', site);
    await next();
  };
}

/** Lets requests with a site's own secret pass. An unknown site costs the same time as a wrong secret. */
export function requireSecret(deps: { sites: SiteDirectory; now(): number }): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const query = readQuery(c.req.url);
    const site = findSite(deps.sites, query);
    const allowed = opens(secretOf(c, query), { site, kind: 'read', now: deps.now() });
    if (!site || !allowed) throw new Forbidden();
    c.set('query', query);
    c.set('site', site);
    await next();
  };
}
