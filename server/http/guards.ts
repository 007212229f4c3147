// Guards admit requests. A guard is a value next to its route in app.ts, and provides the endpoint with the site or the
// partner of the request.
//
//   get('/v2/related', ofSite, related)            a known Site ID is enough
//   get('/v2/exclude/list', secret, exclude.list)  a known Site ID and its secret
import type { Context } from 'hono';
import type { Deps } from '../context.ts';
import { SITE_HEADER } from '../contract/headers.ts';
import { SITE_ID_PARAMS } from '../contract/limits.ts';
import { outerTexts } from '../posts/jsonBounds.ts';
import type { Partner } from '../sites/partner.ts';
import { isValidSecret, verifySecret } from '../sites/secrets.ts';
import type { Site } from '../sites/site.ts';
import { bearerOf, findSite, secretOf } from './auth.ts';
import { Forbidden } from './errors.ts';
import { last, type Query } from './query.ts';

/**
 * Maximum of bytes read of a body before its secret is verified. A whole article has a tenth of that, and clients send
 * the secret first.
 */
export const UNVERIFIED_BYTES = 1024 * 1024;

/** A request as a guard receives it. */
export interface Asked {
  c: Context;
  query: Query;
  /** Text of the body, or its beginning. Default: the request has none, or it is not read yet. */
  body?: string;
}

type GuardDeps = Pick<Deps, 'sites' | 'partners' | 'thumbnails' | 'now'>;

/** @typeParam Who Value passed to the endpoint. */
export interface Guard<Who extends object = object> {
  /** Requirements as in OpenAPI: alternatives; empty where nothing is required, or OpenAPI cannot express it. */
  readonly security: readonly Readonly<Record<string, readonly never[]>>[];
  /** The requirement as a sentence, where `security` does not express it. Default: Public. */
  readonly says?: string;
  /** Descriptions of the parameters that the guard reads, by name; all are required. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The keys may be in the body: the guard runs after the body, or its beginning, is read. */
  readonly readsBody?: true;
  /** Its lists are kept, for while the database is unavailable. */
  readonly keepsLists?: true;
  /**
   * @returns undefined for a request that is answered with 404.
   * @throws {Forbidden}
   */
  admit(asked: Asked, deps: GuardDeps): Who | undefined;
}

/**
 * Admits every request.
 * @param says Describes requests that have no effect.
 */
export const anyone = (says?: string): Guard => ({
  security: [],
  ...(says !== undefined && { says }),
  admit: () => ({}),
});

export interface OfSite {
  site: Site;
}

/** Public: a known Site ID suffices; a secret is ignored. */
export const ofSite: Guard<OfSite> = {
  security: [{ site: [] }],
  admit: ({ query }, { sites }) => ({ site: required(findSite(sites, query)) }),
};

/** As `ofSite`, where the Site ID is documented like any other parameter. */
export const ofPreviewedSite: Guard<OfSite> = { ...ofSite, security: [], parameters: { apikey: 'Site ID.' } };

/** Requires a known Site ID and its secret. An unknown site takes the same time as a wrong secret. */
export const secret: Guard<OfSite> = {
  security: [
    { site: [], secret: [] },
    { site: [], bearer: [] },
  ],
  keepsLists: true,
  admit({ c, query }, { sites, now }) {
    const site = findSite(sites, query);
    const allowed = isValidSecret(secretOf(c, query), { site, kind: 'read', now: now() });
    if (!site || !allowed) throw new Forbidden();
    return { site };
  },
};

/**
 * Requires the write secret, which is verified before the body is parsed. An unknown site, a missing secret and a read
 * secret have the same answer. A secret beyond the first megabyte of a body is not found.
 */
export const writeSecret: Guard<OfSite> = {
  // A key in the body is none to OpenAPI.
  security: [{}, { bearer: [] }],
  says: 'Needs the write secret, in the body, the query or an Authorization header.',
  readsBody: true,
  admit({ c, query, body = '' }, { sites, now }) {
    const texts = outerTexts(body.slice(0, UNVERIFIED_BYTES), [...SITE_ID_PARAMS, 'secret']);
    const either = (name: string): string | undefined => texts.get(name) || last(query, name);
    const id = SITE_ID_PARAMS.map(either).find((value) => value !== undefined);
    const site = id === undefined ? undefined : sites.find(id);
    const allowed = isValidSecret(texts.get('secret') || secretOf(c, query), { site, kind: 'write', now: now() });
    if (site === undefined || !allowed) throw new Forbidden();
    return { site };
  },
};

/** Of guards that read the secret alone: where the others are said is documented like any other parameter. */
const EITHER_PLACE: Guard['security'] = [{ secret: [] }, { bearer: [] }];

/**
 * Requires either secret of a site: systems that write metadata have only the write secret. The Site ID may be in the
 * path.
 */
export const eitherSecret: Guard<OfSite> = {
  security: EITHER_PLACE,
  says: 'Needs either secret of the site, as secret or in an Authorization header.',
  parameters: { apikey: 'Site ID.' },
  readsBody: true,
  admit({ c, query }, { sites, now }) {
    const named = c.req.param('apikey');
    const site = named === undefined ? findSite(sites, query) : sites.find(named);
    const given = secretOf(c, query);
    const reads = isValidSecret(given, { site, kind: 'read', now: now() });
    const writes = isValidSecret(given, { site, kind: 'write', now: now() });
    if (site === undefined || !(reads || writes)) throw new Forbidden();
    return { site };
  },
};

export interface OfCaller extends OfSite {
  /** The write secret was sent. */
  mayAct: boolean;
}

/**
 * Requires either secret of a site, in a header alone: addresses are in the configurations and logs of clients. The
 * write secret reads here, too, since a client has one header for both.
 */
export const inHeader: Guard<OfCaller> = {
  security: [{ bearer: [] }],
  says: 'Needs either secret of the site in an Authorization header.',
  admit({ c, query }, { sites, now }) {
    const named = c.req.header(SITE_HEADER);
    const site = named === undefined ? findSite(sites, query) : sites.find(named);
    const given = bearerOf(c);
    const reads = isValidSecret(given, { site, kind: 'read', now: now() });
    const mayAct = isValidSecret(given, { site, kind: 'write', now: now() });
    if (site === undefined || !(reads || mayAct)) throw new Forbidden();
    return { site, mayAct };
  },
};

export interface OfPartner {
  partner: Partner;
}

/**
 * Requires the secret of the partner in the path. An unknown partner takes the same time as a wrong secret, and has the
 * same answer.
 */
export const ofPartner: Guard<OfPartner> = {
  security: EITHER_PLACE,
  says: 'Needs the partner’s secret, as secret or in an Authorization header.',
  parameters: { partner: 'Name of the partner.' },
  admit({ c, query }, { partners }) {
    const partner = partners.find(c.req.param('partner') ?? '');
    const allowed = verifySecret(secretOf(c, query), partner?.secretHash);
    if (partner === undefined || !allowed) throw new Forbidden();
    return { partner };
  },
};

export interface OfPicture {
  /** URL of the picture, as signed. */
  picture: string;
}

/** Requires a URL signed by this server: verified before any part of the URL is used. */
export const signed: Guard<OfPicture> = {
  security: [],
  parameters: {
    apikey: 'Site ID.',
    signature: 'As in thumb_url_medium of a record: only this server can make it.',
    of: 'Address of the picture.',
  },
  admit({ c }, { sites, thumbnails }) {
    const picture = c.req.query('of') ?? '';
    const site = sites.find(c.req.param('apikey') ?? '');
    const isSigned = site && thumbnails?.isSigned(site.id, picture, c.req.param('signature') ?? '');
    return isSigned ? { picture } : undefined;
  },
};

function required(site: Site | undefined): Site {
  if (site === undefined) throw new Forbidden();
  return site;
}
