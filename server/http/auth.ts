// The keys of a request: the site it names, and the secret it comes with, in the query or as `Authorization: Bearer`.
import type { Context } from 'hono';
import { SITE_ID_PARAMS } from '../contract/limits.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Site } from '../sites/site.ts';
import type { Coded } from './compression.ts';
import type { LongLists } from './longLists.ts';
import { last, type Query } from './query.ts';

/** Variables of a request's context. */
export interface HttpEnv {
  Variables: {
    query: Query;
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
