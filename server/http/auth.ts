// The keys of a request: its Site ID, and its secret, in the query or as `Authorization: Bearer`.
import type { Context } from 'hono';
import type { Session } from '../console/sessions.ts';
import type { Share } from '../console/shares.ts';
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
    /** Absent where no semaphore bounds long lists. */
    longLists?: LongLists;
    /** Encodings of the answer's body, where that is cached in memory: compressed once for all requests. */
    coded?: Coded;
    /** Charges the client's rate limit for a request that costs more than one. Absent where no rate is set. */
    charge?: (requests: number) => void;
    /** Of the console. Absent where the request has no valid one. */
    session?: Session;
    /** A link to a view of the console. Absent where the request has no valid one. */
    share?: Share;
  };
}

/** RFC 6750, section 2.1. */
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;

/** The secret of an `Authorization: Bearer` header; undefined for other schemes. */
export const bearerOf = (c: Context): string | undefined => BEARER.exec(c.req.header('Authorization') ?? '')?.[1];

/** The secret of a request. The query takes precedence: a gateway in front may need the header for itself. */
export const secretOf = (c: Context, query: Query): string | undefined => last(query, 'secret') ?? bearerOf(c);

/** The Site ID of a query, under any of the parameter's names. */
export function findSite(sites: SiteDirectory, query: Query): Site | undefined {
  for (const name of SITE_ID_PARAMS) {
    const id = last(query, name);
    if (id !== undefined) return sites.find(id);
  }
  return undefined;
}
