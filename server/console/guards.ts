// Guards of the console: the session of the request's cookie, which a middleware reads before them.
import { timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../http/auth.ts';
import { Forbidden } from '../http/errors.ts';
import type { Guard, OfSite } from '../http/guards.ts';
import { sessionIdOf } from './cookie.ts';
import type { Session, Sessions } from './sessions.ts';

/** A changing request carries the session's token here: a form or a script of another origin cannot set it. */
const TOKEN_HEADER = 'X-Afterword-Token';

export interface OfSession extends OfSite {
  session: Session;
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

/** Requires a session: the request is about its site, whatever site its query names. */
export const ofSession: Guard<OfSession> = {
  security: [],
  says: 'Needs a session of the console.',
  keepsLists: true,
  admit: ({ c }) => admitted(c),
};

/** As `ofSession`, for lists of pages, which make their own answers and keep them themselves. */
export const ofSessionAlone: Guard<OfSession> = {
  security: [],
  says: 'Needs a session of the console.',
  admit: ({ c }) => admitted(c),
};

/** As `ofSession`, for what changes the session itself. */
export const ofSessionAndToken: Guard<OfSession> = {
  security: [],
  says: 'Needs a session of the console and its token.',
  admit: ({ c }) => withToken(c),
};

/** As `ofSessionAndToken`, for what changes the site: the session was opened by who may act. */
export const ofActingSession: Guard<OfSession> = {
  security: [],
  says: 'Needs a session of the console that was opened with the write secret, and its token.',
  admit({ c }) {
    const who = withToken(c);
    if (who.session.role !== 'act') throw new Forbidden();
    return who;
  },
};

function withToken(c: Context<HttpEnv>): OfSession {
  const who = admitted(c);
  const given = Buffer.from(c.req.header(TOKEN_HEADER) ?? '');
  const expected = Buffer.from(who.session.token);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Forbidden();
  return who;
}

function admitted(c: Context<HttpEnv>): OfSession {
  const session = c.get('session');
  if (session === undefined) throw new Forbidden();
  return { session, site: session.site };
}
