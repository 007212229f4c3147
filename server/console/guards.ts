// Guards of the console: the session of the request's cookie, which a middleware reads before them.
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../context.ts';
import { SITE_HEADER, TOKEN_HEADER } from '../contract/headers.ts';
import type { HttpEnv } from '../http/auth.ts';
import { Forbidden } from '../http/errors.ts';
import type { Guard, OfSite } from '../http/guards.ts';
import { isTimingSafeEqual } from '../timingSafe.ts';
import { sessionIdOf } from './cookie.ts';
import type { OperatorSession, Session, Sessions, SiteSession } from './sessions.ts';

export interface OfSession extends OfSite {
  session: SiteSession;
}

export interface OfAnySession {
  session: Session;
}

export interface OfOperator {
  session: OperatorSession;
}

/** Reads the session of the request, where it has a valid one. */
export const readSession =
  ({ sessions }: { sessions: Sessions }): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const id = sessionIdOf(c);
    const session = id === undefined ? undefined : await sessions.find(id);
    if (session !== undefined) c.set('session', session);
    await next();
  };

/**
 * Requires a session: the request is about its site, whatever site its query names. The operator's is about the site of
 * a header. The page names the site that it shows there, too: a sign-in to another site in another tab has replaced its
 * session.
 */
export const ofSession: Guard<OfSession> = {
  security: [],
  says: 'Needs a session of the console.',
  keepsLists: true,
  admit: ({ c }, deps) => admitted(c, deps),
};

/** As `ofSession`, for lists of pages, which make their own answers and keep them themselves. */
export const ofSessionAlone: Guard<OfSession> = {
  security: [],
  says: 'Needs a session of the console.',
  admit: ({ c }, deps) => admitted(c, deps),
};

/** Requires a session, of a site or the operator's. The operator's is about a site where a header names one. */
export const ofAnySession: Guard<OfAnySession> = {
  security: [],
  says: 'Needs a session of the console.',
  admit: ({ c }, deps) => ({ session: sessionOf(c, deps) }),
};

/** As `ofAnySession`, for what changes the session itself. */
export const ofAnySessionAndToken: Guard<OfAnySession> = {
  security: [],
  says: 'Needs a session of the console and its token.',
  admit: ({ c }, deps) => ({ session: withToken(c, sessionOf(c, deps)) }),
};

/** As `ofSession`, for requests that change the site: the session must allow changes, and its token must be sent. */
export const ofActingSession: Guard<OfSession> = {
  security: [],
  says: 'Needs a session of the console that was opened with the write secret, and its token.',
  admit({ c }, deps) {
    const who = admitted(c, deps);
    withToken(c, who.session);
    if (who.session.role !== 'act') throw new Forbidden();
    return who;
  },
};

/** Requires the operator's session: what it is asked is about no site. */
export const ofOperator: Guard<OfOperator> = {
  security: [],
  says: 'Needs a session of the console that was opened with the operator’s token.',
  admit({ c }) {
    const session = c.get('session');
    if (session?.role !== 'operator') throw new Forbidden();
    return { session };
  },
};

/** A form or a script of another origin cannot set the header. */
function withToken<S extends Session>(c: Context<HttpEnv>, session: S): S {
  if (!isTimingSafeEqual(c.req.header(TOKEN_HEADER) ?? '', session.token)) throw new Forbidden();
  return session;
}

function admitted(c: Context<HttpEnv>, deps: Pick<Deps, 'sites'>): OfSession {
  const session = sessionOf(c, deps);
  if (session.role === 'operator') throw new Forbidden();
  const named = c.req.header(SITE_HEADER);
  if (!session.isOperator && named !== undefined && named !== session.site.id) throw new Forbidden();
  return { session, site: session.site };
}

/** The operator's requests about one site name it in a header: tabs with several sites share one session. */
function sessionOf(c: Context<HttpEnv>, { sites }: Pick<Deps, 'sites'>): Session {
  const session = c.get('session');
  if (session === undefined) throw new Forbidden();
  const named = c.req.header(SITE_HEADER);
  const site = session.role === 'operator' && named !== undefined ? sites.find(named) : undefined;
  return site === undefined ? session : { ...session, site, role: 'act', isOperator: true };
}
