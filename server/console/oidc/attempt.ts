// A sign-in that has begun, in a cookie of the browser that began it, so that any copy of the server can finish it.
import type { Context } from 'hono';
import { z } from 'zod';
import { MINUTE } from '../../durations.ts';
import { parseJson } from '../../posts/parseJson.ts';
import { cookieFor } from '../cookie.ts';
import type { Checks } from './provider.ts';

export const ATTEMPT_MS = 10 * MINUTE;

/** Of the query that is shown after the sign-in: browsers keep cookies of 4 kB. */
const MAX_SEARCH = 2_000;

const TEXT = z.string().max(200);
const ATTEMPT = z.object({
  checks: z.object({ state: TEXT, nonce: TEXT, verifier: TEXT }),
  site: z.string().max(253).optional(),
  search: z.string().max(MAX_SEARCH),
  until: z.number(),
});

/** Where a sign-in leads: the site, and the view of the console. */
export interface SignInTarget {
  /** Site ID. */
  site?: string | undefined;
  /** Query of the address of the console; "" without one. */
  search: string;
}

export interface Attempt extends SignInTarget {
  checks: Checks;
  /** Epoch milliseconds. */
  until: number;
}

/** The query of an address that begins: the site, and the rest as that of the console. */
export function readTarget(url: string): SignInTarget {
  const query = new URL(url).searchParams;
  const site = query.get('site') || undefined;
  query.delete('site');
  return { site: ATTEMPT.shape.site.safeParse(site).data, search: shortened(query) };
}

/** Without the longest parameters where there is no room for all: the view stays, and most filters. */
function shortened(query: URLSearchParams): string {
  const all = [...query].map((pair) => ({ pair, size: new URLSearchParams([pair]).toString().length + 1 }));
  const rankOf = ({ pair: [name], size }: (typeof all)[number]) => (name === 'view' ? 0 : size);
  const kept = new Set<(typeof all)[number]>();
  let room = MAX_SEARCH;
  for (const one of [...all].sort((first, other) => rankOf(first) - rankOf(other))) {
    if (one.size > room) continue;
    room -= one.size;
    kept.add(one);
  }
  return toSearch(new URLSearchParams(all.filter((one) => kept.has(one)).map(({ pair }) => pair)));
}

/** The query of an address that begins a sign-in. */
export function writeTarget({ site, search }: SignInTarget): string {
  const query = new URLSearchParams(search);
  if (site !== undefined) query.set('site', site);
  return toSearch(query);
}

const toSearch = (query: URLSearchParams): string => (query.size === 0 ? '' : `?${query}`);

/**
 * Value of Set-Cookie. The cookie is neither sealed nor signed: state, nonce and verifier protect the browser that has
 * them and open nothing without a code, which the provider gives to a signed-in account, once, and takes back from this
 * server alone. A seal would not stop an attacker who can set cookies of this host in another browser either: this
 * server seals those of the attacker's own sign-ins, too. The rest is checked as what any address asks for.
 * `Lax`, since the navigation back begins at the provider.
 * @param attempt undefined: removes the cookie.
 */
export function attemptCookie(attempt: Attempt | undefined, redirectUri: URL): string {
  const text = attempt && Buffer.from(JSON.stringify(attempt)).toString('base64url');
  const path = new URL('.', redirectUri).pathname.replace(/\/$/, '');
  const secure = redirectUri.protocol === 'https:';
  return cookieFor(text, { name: 'afterword_oidc', lasts: ATTEMPT_MS, path, secure, sameSite: 'Lax' });
}

/** The sign-in that a browser has begun; undefined where it has begun none, or too long ago. */
export function readAttempt(c: Context, now: number): Attempt | undefined {
  const text = /(?:^|;\s*)afterword_oidc=([\w-]{1,4000})(?=;|$)/.exec(c.req.header('Cookie') ?? '')?.[1];
  if (text === undefined) return undefined;
  const attempt = ATTEMPT.safeParse(parseJson(Buffer.from(text, 'base64url').toString())).data;
  return attempt !== undefined && now < attempt.until ? attempt : undefined;
}
