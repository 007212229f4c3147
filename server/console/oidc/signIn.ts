// /console/oidc sends a browser to the OpenID Connect provider. It comes back to
// /console/oidc/callback, where a session is opened.
import type { Context } from 'hono';
import { z } from 'zod';
import { door, type Parts } from '../../http/endpoint.ts';
import { TooManyRequests } from '../../http/errors.ts';
import { cookieFor } from '../cookie.ts';
import { PAGE_HEADERS } from '../page.ts';
import { takeAttempt } from '../session.ts';
import type { Opened, Session } from '../sessions.ts';
import { ATTEMPT_MS, type Attempt, attemptCookie, readAttempt, readTarget, type SignInTarget } from './attempt.ts';
import { type Grant, matching, openingOf } from './grants.ts';
import { choicePage, type Refusal, refusalPage, rootOf } from './outcomePage.ts';
import { type OidcSettings, type Provider, SignInError } from './provider.ts';

const NONE = z.object({});
const NO_TARGET: SignInTarget = { search: '' };

/** One request, where a provider is configured. */
interface Asked {
  c: Context;
  parts: Parts;
  oidc: OidcSettings;
  provider: Provider;
}

/** An address of the sign-in, which is there where a provider is configured. */
const signInDoor = (summary: string, handle: (asked: Asked) => Promise<Response>) =>
  door({
    summary,
    params: NONE,
    answers: 'text/html',
    unlisted: true,
    async handle(c, parts) {
      const { provider, settings } = parts;
      if (provider === undefined || settings.oidc === undefined) return await c.notFound();
      return await handle({ c, parts, oidc: settings.oidc, provider });
    },
  });

const begin = signInDoor('Signs in to the console by OpenID Connect.', async ({ c, parts, oidc, provider }) => {
  const target = readTarget(c.req.url);
  const refuse = (refusal: Refusal) => refusalPage(c, refusal, { name: oidc.name, target });
  // An address that was typed, or is a bookmark, has "none".
  if (!['same-origin', 'none', undefined].includes(c.req.header('Sec-Fetch-Site'))) return await refuse('elsewhere');
  try {
    const { location, checks } = await provider.begin();
    const attempt = { ...target, checks, until: parts.now() + ATTEMPT_MS };
    c.header('Set-Cookie', attemptCookie(attempt, oidc.redirectUri));
    return c.body(null, 302, { ...PAGE_HEADERS, Location: location });
  } catch (error) {
    return await refuse(troubleOf(error, parts));
  }
});

const callback = signInDoor(
  'Signs in to the console with the answer of an OpenID Connect provider.',
  async (asked: Asked) => {
    const { c, parts, oidc, provider } = asked;
    const attempt = readAttempt(c, parts.now());
    c.header('Set-Cookie', attemptCookie(undefined, oidc.redirectUri));
    const refuse = (refusal: Refusal) => refusalPage(c, refusal, { name: oidc.name, target: attempt ?? NO_TARGET });
    const { search, searchParams } = new URL(c.req.url);
    if (attempt === undefined || searchParams.get('state') !== attempt.checks.state) return await refuse('over');
    try {
      // Each asks the provider.
      const giveBack = takeAttempt(c, parts);
      const claims = await provider.finish(search, attempt.checks);
      giveBack();
      return await open(asked, attempt, matching(claims, oidc.grants));
    } catch (error) {
      if (error instanceof TooManyRequests) c.header('Retry-After', String(error.retryAfter));
      return await refuse(troubleOf(error, parts));
    }
  },
);

/** Opens what the grants of an account open, and leads to the console. */
async function open({ c, parts, oidc }: Asked, attempt: Attempt, held: readonly Grant[]): Promise<Response> {
  const { site: asked, search } = attempt;
  const opening = openingOf(held, { sites: parts.sites.list(), asked });
  if (opening.role === undefined) {
    if (asked === undefined && opening.sites.length > 0) return await choicePage(c, opening.sites, search);
    const refusal = opening.sites.length > 0 ? 'otherSite' : 'nothing';
    return await refusalPage(c, refusal, { name: oidc.name, target: { search } });
  }
  const { role, grant, site } = opening;
  const opened = await parts.sessions.signInGranted(opening);
  const how = { site: site?.id, role, grant: oidc.grants.indexOf(grant) + 1 };
  parts.log.info(how, 'signed in to the console by OpenID Connect');
  c.header('Set-Cookie', sessionCookie(opened, oidc), { append: true });
  const folder = site !== undefined && role === 'operator' ? `site/${encodeURIComponent(site.id)}/` : '';
  return c.body(null, 302, { ...PAGE_HEADERS, Location: `${rootOf(c)}${folder}${search}` });
}

/** For the folder of the console, as the cookie of other sign-ins: it replaces theirs, and signing out removes it. */
function sessionCookie({ id }: Opened<Session>, { redirectUri }: OidcSettings): string {
  const path = new URL('..', redirectUri).pathname.replace(/\/$/, '');
  return cookieFor(id, { path, secure: redirectUri.protocol === 'https:' });
}

/** What a page says of an error. The log has the reason, without codes, tokens and claims. */
function troubleOf(error: unknown, { log }: Parts): Refusal {
  if (error instanceof TooManyRequests) return 'busy';
  if (!(error instanceof SignInError)) throw error;
  const { trouble, reason } = error;
  if (trouble === 'away' || trouble === 'refused')
    log.warn({ reason }, 'a sign-in to the console by OpenID Connect failed');
  return trouble;
}

export const oidc = { begin, callback };
