// The cookie of a session. It names no path: a browser then sends it to the folder of the address that set it, which is
// the console's own, below whatever prefix a proxy in front has.
import type { Context } from 'hono';
import type { AppSettings } from '../context.ts';
import { SESSION_MS } from './sessions.ts';

/** As 32 bytes are written in base64url. */
const valueIn = (name: string): RegExp => new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?=;|$)`);
const VALUES = { afterword_console: valueIn('afterword_console'), afterword_share: valueIn('afterword_share') };

/** The cookie of a session, and that of a link to one view. */
export type CookieName = keyof typeof VALUES;

/** The id of a session in a Cookie header; undefined where none is well-formed. */
export const sessionIdOf = (c: Context, name: CookieName = 'afterword_console'): string | undefined =>
  VALUES[name].exec(c.req.header('Cookie') ?? '')?.[1];

interface CookieOptions {
  /** Default: that of a session. */
  name?: CookieName | 'afterword_oidc';
  /** Milliseconds until the browser forgets it. Default: as long as a session lasts. */
  lasts?: number;
  secure?: boolean;
  /** Default: the folder of the request. */
  path?: string;
  /** `Lax`: sent with a navigation that another site began, too. Default: `Strict`. */
  sameSite?: 'Strict' | 'Lax';
}

/**
 * Value of Set-Cookie.
 * @param id undefined: removes the cookie.
 */
export function cookieFor(
  id: string | undefined,
  { name = 'afterword_console', lasts = SESSION_MS, secure = false, path, sameSite = 'Strict' }: CookieOptions,
): string {
  return [
    `${name}=${id ?? ''}`,
    `Max-Age=${id === undefined ? 0 : Math.floor(lasts / 1000)}`,
    ...(path === undefined ? [] : [`Path=${path}`]),
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}

/** Whether the browser's request came by https: to this server, or to a proxy in front that says so. */
export function isSecure(c: Context, { publicUrl }: Pick<AppSettings, 'publicUrl'>): boolean {
  const asked = new URL(c.req.url);
  const forwarded = c.req.header('X-Forwarded-Proto')?.split(',').at(-1)?.trim().toLowerCase();
  if (asked.protocol === 'https:' || forwarded === 'https') return true;
  const here = publicUrl === undefined ? undefined : new URL(publicUrl);
  return here?.protocol === 'https:' && here.host === asked.host;
}
