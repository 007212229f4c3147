// The way from the newspaper to the console, in one click: on this machine alone, and for the demonstration's site. A
// cookie belongs to a host and not to a port, so the newspaper can set that of the server beside it.
import type { Context } from 'hono';
import { cookieFor } from '../../server/console/cookie.ts';
import type { Sessions } from '../../server/console/sessions.ts';
import { clientAddress } from '../../server/http/clientAddress.ts';
import type { Site } from '../../server/sites/site.ts';

export type ConsoleDoor = (context: Context) => Promise<Response>;

const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];
/** Names that no other site can have: one that leads here all the same would be given the session. */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

interface Leads {
  site(): Site | undefined;
  /** Where the server answers. */
  afterword: URL;
}

/** Signs in where that is safe, and leads to the console, whose form asks everyone else for the secret. */
export const openConsoleDoor =
  (sessions: Pick<Sessions, 'open'>, { site, afterword }: Leads): ConsoleDoor =>
  async (context) => {
    const { hostname } = new URL(context.req.url);
    const target = new URL('/console/', afterword);
    const known = site();
    if (known !== undefined && isAtThisMachine(context) && LOOPBACK_HOSTS.includes(target.hostname)) {
      // The host that the visitor asked on, as the cookie is of that one.
      target.hostname = hostname;
      const { id } = await sessions.open(known, 'act');
      context.header('Set-Cookie', cookieFor(id, { path: '/console' }));
    }
    context.header('Cache-Control', 'no-store');
    return context.redirect(target.href);
  };

/** Whether a person at this machine followed a link: no page of another site. */
function isAtThisMachine(context: Context): boolean {
  const from = context.req.header('Sec-Fetch-Site');
  return (
    LOOPBACK_ADDRESSES.includes(clientAddress(context, 0)) &&
    LOOPBACK_HOSTS.includes(new URL(context.req.url).hostname) &&
    (from === undefined || from === 'none' || from === 'same-origin')
  );
}
