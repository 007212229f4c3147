// Who is signed in to the console. The id of a session is random and only its browser has it; the database has its
// hash, so that every copy of the server knows the session. It ends after twelve hours, when its reader signs out, and
// with the secret that opened it.
import { createHash, randomBytes } from 'node:crypto';
import type { Deps } from '../context.ts';
import { hashSecret, opens, stillOpens } from '../sites/secrets.ts';
import type { Site } from '../sites/site.ts';
import type { ConsoleSession } from '../storage/consoleSessions.ts';
import { createLookupCache } from './lookupCache.ts';

export const SESSION_MS = 12 * 3_600_000;

export interface Session {
  site: Site;
  /** With the read secret one may read, with the write secret act as well. */
  role: ConsoleSession['role'];
  /** SHA-256 in hex of the secret that opened it. */
  secretHash: string;
  /** Epoch milliseconds. */
  until: number;
  /** A changing request repeats it in a header: no page of another origin can read it. */
  token: string;
}

/** A session with its id, which goes into the cookie of its browser and nowhere else. */
export interface OpenedSession extends Session {
  id: string;
}

export interface Sessions {
  /** @returns undefined for an unknown site and a wrong secret, which take the same time. */
  signIn(siteId: string, secret: string): Promise<OpenedSession | undefined>;
  /** Opens a session without its secret, for a program in the same process. */
  open(site: Site, role: ConsoleSession['role']): Promise<OpenedSession>;
  /** The session of an id, where it is valid now. */
  find(id: string): Promise<Session | undefined>;
  end(id: string): Promise<void>;
}

export function createSessions(deps: Pick<Deps, 'store' | 'sites' | 'now' | 'clock'>): Sessions {
  const { sites, now, clock = now } = deps;
  const remembered = createLookupCache((hash) => deps.store.consoleSessions.find(hash), { clock });

  async function start(site: Site, role: Session['role'], secretHash: string): Promise<OpenedSession> {
    const id = randomBytes(32).toString('base64url');
    const until = now() + SESSION_MS;
    await deps.store.consoleSessions.save(hashOf(id), { site: site.id, role, secretHash, until }, now());
    return { id, site, role, secretHash, until, token: tokenOf(id) };
  }

  return {
    async signIn(siteId, secret) {
      const site = sites.find(siteId);
      const at = now();
      // Both are compared always: the time is the same whichever it is.
      const reads = opens(secret, { site, kind: 'read', now: at });
      const acts = opens(secret, { site, kind: 'write', now: at });
      if (site === undefined || !(reads || acts)) return undefined;
      return await start(site, acts ? 'act' : 'read', hashSecret(secret));
    },

    open: (site, role) => start(site, role, role === 'act' ? site.writeSecretHash : site.secretHash),

    async find(id) {
      const stored = await remembered.get(hashOf(id));
      const site = stored && sites.find(stored.site);
      if (site === undefined || stored === undefined || now() >= stored.until) return undefined;
      const kind = stored.role === 'act' ? 'write' : 'read';
      if (!stillOpens(stored.secretHash, { site, kind, now: now() })) return undefined;
      const { role, secretHash, until } = stored;
      return { site, role, secretHash, until, token: tokenOf(id) };
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
