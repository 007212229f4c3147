// Who is signed in to the console. The id of a session is random and only its browser has it; the database has its
// hash, so that every copy of the server knows the session. It ends after twelve hours, when its reader signs out, and
// with what opened it: a secret, the operator's token, or a grant of an account at an OpenID Connect provider.
import { createHash, randomBytes } from 'node:crypto';
import type { Deps } from '../context.ts';
import { HOUR } from '../durations.ts';
import { hashSecret, isValidHash, isValidSecret } from '../sites/secrets.ts';
import type { Site } from '../sites/site.ts';
import type { ConsoleSession } from '../storage/consoleSessions.ts';
import { createLookupCache } from './lookupCache.ts';
import { type Grant, isGranted, type Opening } from './oidc/grants.ts';
import { createOperatorTokens } from './operatorToken.ts';

export const SESSION_MS = 12 * HOUR;

interface Signed {
  /** SHA-256 in hex of the secret, the operator's token or the grant that opened it. */
  secretHash: string;
  /** Epoch milliseconds. */
  until: number;
  /** A changing request repeats it in a header: no page of another origin can read it. */
  token: string;
}

/** A session of one site, or of the operator in that site's console. */
export interface SiteSession extends Signed {
  site: Site;
  /** With the read secret one may read, with the write secret, and as the operator, act as well. */
  role: 'read' | 'act';
  /** The operator's. Default: false. */
  isOperator?: true;
}

/** Of the operator, who may see the server and every site. */
export interface OperatorSession extends Signed {
  role: 'operator';
}

export type Session = SiteSession | OperatorSession;

/** A session with its id, which goes into the cookie of its browser and nowhere else. */
export type Opened<S extends Session> = S & { id: string };

export interface Sessions {
  /** @returns undefined for an unknown site and a wrong secret, which take the same time. */
  signIn(siteId: string, secret: string): Promise<Opened<SiteSession> | undefined>;
  /** @returns undefined for a token that is not the operator's. */
  signInOperator(token: string): Promise<Opened<OperatorSession> | undefined>;
  /** For an account that a grant admits. */
  signInGranted(opening: Opening): Promise<Opened<Session>>;
  /** Opens a session without its secret, for a program in the same process. */
  open(site: Site, role: SiteSession['role']): Promise<Opened<SiteSession>>;
  /** The session of an id, where it is valid now. */
  find(id: string): Promise<Session | undefined>;
  end(id: string): Promise<void>;
}

/** @param grants Of accounts at an OpenID Connect provider. Default: none. */
export function createSessions(
  deps: Pick<Deps, 'store' | 'sites' | 'now' | 'clock'>,
  grants: readonly Grant[] = [],
): Sessions {
  const { sites, now, clock = now } = deps;
  const remembered = createLookupCache((hash) => deps.store.consoleSessions.find(hash), { clock });
  const operator = createOperatorTokens(deps);

  async function save(opened: Pick<ConsoleSession, 'site' | 'role' | 'secretHash'>): Promise<Signed & { id: string }> {
    const id = randomBytes(32).toString('base64url');
    const until = now() + SESSION_MS;
    await deps.store.consoleSessions.save(hashOf(id), { ...opened, until }, now());
    return { id, secretHash: opened.secretHash, until, token: tokenOf(id) };
  }

  async function start(site: Site, role: SiteSession['role'], secretHash: string): Promise<Opened<SiteSession>> {
    return { site, role, ...(await save({ site: site.id, role, secretHash })) };
  }

  const startOperator = async (secretHash: string): Promise<Opened<OperatorSession>> => ({
    role: 'operator',
    ...(await save({ site: '', role: 'operator', secretHash })),
  });

  async function ofOperator(signed: Signed): Promise<OperatorSession | undefined> {
    const hash = signed.secretHash;
    const isValid = isGranted(grants, { hash, roles: ['operator'], site: '' }) || (await operator.hash()) === hash;
    return isValid ? { role: 'operator', ...signed } : undefined;
  }

  return {
    async signIn(siteId, secret) {
      const site = sites.find(siteId);
      const at = now();
      // Both are compared always: the time is the same whichever it is.
      const reads = isValidSecret(secret, { site, kind: 'read', now: at });
      const acts = isValidSecret(secret, { site, kind: 'write', now: at });
      if (site === undefined || !(reads || acts)) return undefined;
      return await start(site, acts ? 'act' : 'read', hashSecret(secret));
    },

    async signInOperator(token) {
      if (!(await operator.isCurrent(token))) return undefined;
      return await startOperator(hashSecret(token));
    },

    signInGranted({ role, grant, site }) {
      return role === 'operator' ? startOperator(grant.hash) : start(site, role, grant.hash);
    },

    open: (site, role) => start(site, role, role === 'act' ? site.writeSecretHash : site.secretHash),

    async find(id) {
      const stored = await remembered.get(hashOf(id));
      if (stored === undefined || now() >= stored.until) return undefined;
      const { role, secretHash, until } = stored;
      const signed: Signed = { secretHash, until, token: tokenOf(id) };
      if (role === 'operator') return await ofOperator(signed);
      const site = sites.find(stored.site);
      const kind = role === 'act' ? 'write' : 'read';
      if (site === undefined) return undefined;
      const isValid =
        isValidHash(secretHash, { site, kind, now: now() }) ||
        isGranted(grants, { hash: secretHash, roles: [role], site: site.id });
      return isValid ? { site, role, ...signed } : undefined;
    },

    async end(id) {
      const hash = hashOf(id);
      await deps.store.consoleSessions.end(hash, now());
      remembered.forget(hash);
    },
  };
}

const hashOf = (id: string): string => createHash('sha256').update(`session ${id}`).digest('hex');

const tokenOf = (id: string): string => createHash('sha256').update(`token ${id}`).digest('base64url');
