// /console/session: signs in with Site ID and secret, says who is signed in, signs out. /console/operator: signs in
// with the operator's token.
import type { Context } from 'hono';
import { z } from 'zod';
import { clientAddress } from '../http/clientAddress.ts';
import { endpoint, type Parts } from '../http/endpoint.ts';
import { Forbidden, TooManyRequests } from '../http/errors.ts';
import { send } from '../http/send.ts';
import { prefixOf } from '../ingest/rateLimit.ts';
import { zoneName } from '../sites/zoneName.ts';
import { cookieFor, isSecure, sessionIdOf } from './cookie.ts';
import type { OfAnySession } from './guards.ts';
import type { Opened, Session } from './sessions.ts';

const NONE = z.object({});

const CREDENTIALS = z.object({
  site: z.string('Give the Site ID.').max(253, 'Give the Site ID.'),
  secret: z.string('Give a secret of the site.').max(200, 'Give a secret of the site.'),
});

const TOKEN = 'Give the operator’s token.';
const OPERATOR = z.object({ token: z.string(TOKEN).max(200, TOKEN) });

/** Wrong secrets from one network: enough for slips, of no use for guessing. A right one costs nothing. */
export const SIGN_INS = { perSecond: 0.05, burst: 10 };

/** What the page of the console is given of its session. */
const toRecord = (session: Session, now: number) => ({
  ...(session.role !== 'operator' && {
    site: session.site.id,
    timezone: zoneName(session.site.timezone),
    ...(session.isOperator && { operator: true }),
  }),
  role: session.role,
  until: new Date(session.until).toISOString(),
  now: new Date(now).toISOString(),
  token: session.token,
});

interface Attempt {
  c: Context;
  now: number;
}

/** Opens a session where the credentials are valid, and sets its cookie. */
async function admit(
  { c, now }: Attempt,
  parts: Parts,
  open: () => Promise<Opened<Session> | undefined>,
): Promise<Response> {
  refuseOtherOrigins(c);
  const giveBack = takeAttempt(c, parts);
  const opened = await open();
  if (opened === undefined) throw new Forbidden();
  giveBack();
  // The folder of both addresses is the console's own: the cookie is for no other.
  c.header('Set-Cookie', cookieFor(opened.id, { secure: isSecure(c, parts.settings) }));
  return send(c, { data: toRecord(opened, now), success: true });
}

const signIn = endpoint<typeof NONE, object, z.output<typeof CREDENTIALS>>({
  summary: 'Signs in to the console with Site ID and secret.',
  params: NONE,
  unlisted: true,
  body: {
    schema: CREDENTIALS,
    example: { site: 'example.com', secret: 'SECRET' },
    // A form of another origin cannot send JSON, and a preflight is not answered.
    limits: { max: 4096, type: 'application/json', sentence: 'Send a JSON object with site and secret.' },
  },
  answer: ({ body, ...ask }, parts) => admit(ask, parts, () => parts.sessions.signIn(body.site, body.secret)),
});

const signInOperator = endpoint<typeof NONE, object, z.output<typeof OPERATOR>>({
  summary: 'Signs in to the console with the operator’s token.',
  params: NONE,
  unlisted: true,
  body: {
    schema: OPERATOR,
    example: { token: 'TOKEN' },
    limits: { max: 4096, type: 'application/json', sentence: 'Send a JSON object with token.' },
  },
  answer: ({ body, ...ask }, parts) => admit(ask, parts, () => parts.sessions.signInOperator(body.token)),
});

const state = endpoint<typeof NONE, OfAnySession>({
  summary: 'Who is signed in to the console.',
  params: NONE,
  unlisted: true,
  answer: async ({ c, session, now }) => send(c, { data: toRecord(session, now), success: true }),
});

const signOut = endpoint<typeof NONE, OfAnySession>({
  summary: 'Signs out of the console.',
  params: NONE,
  unlisted: true,
  async answer({ c }, parts) {
    const id = sessionIdOf(c);
    if (id !== undefined) await parts.sessions.end(id);
    c.header('Set-Cookie', cookieFor(undefined, { secure: isSecure(c, parts.settings) }));
    return send(c, { data: [], success: true });
  },
});

/** A page of another origin must not sign a reader in to a session of its own choice. */
export function refuseOtherOrigins(c: Context): void {
  const from = c.req.header('Sec-Fetch-Site');
  if (from !== undefined && from !== 'same-origin') throw new Forbidden();
}

/**
 * Takes an attempt before the secret is compared, so that many at once are bounded, too.
 * @returns gives it back.
 */
export function takeAttempt(c: Context, { settings, now, clock = now, signIns }: Parts): () => void {
  const network = prefixOf(clientAddress(c, settings.trustedProxies)) ?? '';
  if (signIns.take(network, 1, clock()) === 0)
    throw new TooManyRequests(Math.max(1, Math.ceil(signIns.wait(network, 1, clock()) / 1000)));
  return () => signIns.charge(network, -1, clock());
}

export const session = { signIn, signInOperator, state, signOut };
