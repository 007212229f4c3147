// The routes of the console but for its API, each with the guard that admits its requests.
import type { Hono } from 'hono';
import { get, type Parts, post, type Route, remove } from '../http/endpoint.ts';
import { anyone } from '../http/guards.ts';
import { CONSOLE_API } from './api.ts';
import { ofActingSession, ofAnySession, ofAnySessionAndToken, ofOperator, ofSession, readSession } from './guards.ts';
import { oidc } from './oidc/signIn.ts';
import { operator } from './operator.ts';
import { consolePage } from './page.ts';
import { session } from './session.ts';
import { ofItsShare, readShare, SHARE_PATH } from './shareGuards.ts';
import { shareLinks } from './shareLinks.ts';

export const CONSOLE_ROUTES: readonly Route[] = [
  get('/console', anyone(), consolePage.page),
  get('/console/icon.svg', anyone(), consolePage.icon),
  get('/console/site/:site', anyone(), consolePage.ofSite),
  get('/console/session', ofAnySession, session.state),
  post('/console/session', anyone(), session.signIn),
  remove('/console/session', ofAnySessionAndToken, session.signOut),
  post('/console/operator', anyone(), session.signInOperator),
  get('/console/oidc', anyone(), oidc.begin),
  get('/console/oidc/callback', anyone(), oidc.callback),
  get('/console/operator/sites', ofOperator, operator.sites),
  get('/console/operator/server', ofOperator, operator.server),
  get('/console/shares', ofSession, shareLinks.list),
  post('/console/shares', ofActingSession, shareLinks.make),
  remove('/console/shares/:share', ofActingSession, shareLinks.revoke),
  get(SHARE_PATH, anyone(), consolePage.shared),
  get(`${SHARE_PATH}/session`, ofItsShare, shareLinks.state),
  post(`${SHARE_PATH}/session`, anyone(), shareLinks.open),
];

/** Authentication middleware: reads the session or the link of a request, before the guards. */
export function authenticate(app: Hono, parts: Parts): void {
  for (const path of ['/console/session', '/console/shares/*', '/console/operator/*', `${CONSOLE_API}/*`])
    app.use(path, readSession(parts));
  app.use(`${SHARE_PATH}/*`, readShare(parts));
}
