// The session with the server. Its id is in a cookie that no script can read; the secret is sent once and kept nowhere.
import { type Asked, send } from './ask.ts';

export interface Session {
  site: string;
  /** IANA name: days are the site's. */
  timezone: string;
  role: 'read' | 'act';
  /** ISO 8601, by the server's clock. */
  now: string;
  until: string;
  /** Repeated by changing requests. */
  token: string;
  /** Of a link to one view. */
  shared?: { name: string; search: string };
}

interface Answer {
  data: Session;
}

const ADDRESS = 'session';
const JSON_TYPE = { 'Content-Type': 'application/json' };

export const readSession = (): Promise<Asked<Answer>> => send(ADDRESS, {});

export const signIn = (site: string, secret: string): Promise<Asked<Answer>> =>
  send(ADDRESS, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ site, secret }),
  });

export const signOut = ({ token }: Session): Promise<Asked<object>> =>
  send(ADDRESS, { method: 'DELETE', headers: { 'X-Afterword-Token': token } });

/** The link of this page: opened by what stands after the # of its address, later by its cookie. */
export function openShared(): Promise<Asked<Answer>> {
  const token = location.hash.slice(1);
  if (!/^[\w-]{43}$/.test(token)) return readSession();
  return send(ADDRESS, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ token }) });
}
