// Links that show one view of the console to everyone who has them. The secret of a link is random and only in the
// fragment of its address, which browsers do not send. The page exchanges it once for a cookie, and the database has a
// hash of that cookie. A link ends at its time, when it is revoked, and with the write secret, the operator's token or
// the grant that it was made with.
import { createHash, randomBytes } from 'node:crypto';
import type { Deps } from '../context.ts';
import { DAY } from '../durations.ts';
import { isValidHash } from '../sites/secrets.ts';
import type { Site } from '../sites/site.ts';
import type { SharedView } from '../storage/sharedViews.ts';
import { createLookupCache } from './lookupCache.ts';
import { type Grant, isGranted } from './oidc/grants.ts';
import { createOperatorTokens } from './operatorToken.ts';
import type { SiteSession } from './sessions.ts';

/** Most valid links of one site. */
export const MAX_SHARES = 100;

export interface ShareInput {
  name: string;
  search: string;
  /** Days until it ends. */
  days: number;
}

/** A link that is valid now. */
export interface Share extends Omit<SharedView, 'site'> {
  site: Site;
}

export interface MadeShare extends SharedView {
  /** Opens the link: for its address and nowhere else. */
  token: string;
}

export interface Shares {
  /** @returns undefined where the site has as many as it may have. */
  make(by: Pick<SiteSession, 'site' | 'secretHash'>, input: ShareInput): Promise<MadeShare | undefined>;
  /** Those of a site that are valid now, the newest first. */
  list(site: Site): Promise<SharedView[]>;
  /** @returns false where the site has no such link. */
  revoke(site: Site, id: string): Promise<boolean>;
  /** The value of the cookie for the secret of a link. */
  cookieOf(token: string): string;
  /** The link of a cookie, where it is valid now. */
  find(cookie: string): Promise<Share | undefined>;
}

/** Credentials that links of a site may be made with, and the time. */
export interface Validity {
  site: Site;
  /** SHA-256 in hex of the operator's token; undefined: there is none. */
  operator: string | undefined;
  /** Of accounts at an OpenID Connect provider. */
  grants: readonly Grant[];
  /** Epoch milliseconds. */
  now: number;
}

/** The valid links among those that are stored: not over, and made with what opens the site now. */
export const validViews = (views: readonly SharedView[], { site, operator, grants, now }: Validity): SharedView[] =>
  views.filter(
    ({ until, secretHash: hash }) =>
      now < until &&
      (hash === operator ||
        isValidHash(hash, { site, kind: 'write', now }) ||
        isGranted(grants, { hash, roles: ['operator', 'act'], site: site.id })),
  );

/** @param grants Of accounts at an OpenID Connect provider. Default: none. */
export function createShares(
  deps: Pick<Deps, 'store' | 'sites' | 'now' | 'clock'>,
  grants: readonly Grant[] = [],
): Shares {
  const { sites, now, clock = now } = deps;
  const views = () => deps.store.sharedViews;
  const remembered = createLookupCache((hash) => views().find(hash), { clock, version: () => views().revoked() });

  const operator = createOperatorTokens(deps);

  const valid = async (stored: readonly SharedView[], site: Site) =>
    validViews(stored, { site, operator: await operator.hash(), grants, now: now() });

  const list = async (site: Site) => valid(await views().list(site.id), site);

  return {
    list,

    async make({ site, secretHash }, { name, search, days }) {
      if ((await list(site)).length >= MAX_SHARES) return undefined;
      const token = randomBytes(32).toString('base64url');
      const createdAt = now();
      const until = createdAt + days * DAY;
      const id = randomBytes(6).toString('hex');
      const view: SharedView = { id, site: site.id, name, search, secretHash, createdAt, until };
      await views().save(hashOf(cookieOf(token)), view, createdAt);
      return { ...view, token };
    },

    revoke: async (site, id) => (await views().revoke(site.id, id, now())) !== undefined,

    cookieOf,

    async find(cookie) {
      const view = await remembered.get(hashOf(cookie));
      const site = view && sites.find(view.site);
      return site && (await valid([view], site)).length > 0 ? { ...view, site } : undefined;
    },
  };
}

const cookieOf = (token: string): string => createHash('sha256').update(`cookie ${token}`).digest('base64url');

const hashOf = (cookie: string): string => createHash('sha256').update(`shared ${cookie}`).digest('hex');
