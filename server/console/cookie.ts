// The cookie of a session. It names no path: a browser then sends it to the folder of the address that set it, which is
// the console's own, below whatever prefix a proxy in front has.
import type { Context } from 'hono';
import type { AppSettings } from '../context.ts';
import { SESSION_MS } from './sessions.ts';

const NAME = 'afterword_console';
/** As `randomBytes(32)` is written in base64url. */
const VALUE = new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]{43})(?=;|$)`);

/** The id of a session in a Cookie header; undefined where none is well-formed. */
export const sessionIdOf = (c: Context): string | undefined => VALUE.exec(c.req.header('Cookie') ?? '')?.[1];

/**
 * Value of Set-Cookie.
 * @param id undefined: removes the cookie.
 * @param path Default: the folder of the request.
 */
export function cookieFor(
  id: string | undefined,
  { secure = false, path }: { secure?: boolean; path?: string },
): string {
  return [
    `${NAME}=${id ?? ''}`,
    `Max-Age=${id === undefined ? 0 : SESSION_MS / 1000}`,
    ...(path === undefined ? [] : [`Path=${path}`]),
    'HttpOnly',
    'SameSite=Strict',
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
