// The session with the server. Its id is in a cookie that no script can read; the secret is sent once and kept nowhere.
import { type Asked, FORBIDDEN, JSON_TYPE, send, sendWithToken } from './ask.ts';

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
  /** The operator's, in the console of one of all sites. */
  operator?: true;
}

/** Of the operator, who may see the server and every site. */
export interface OperatorSession extends Pick<Session, 'now' | 'until' | 'token'> {
  role: 'operator';
}

interface Answer<S = Session> {
  data: S;
}

const ADDRESS = 'session';

export const readSession = (): Promise<Asked<Answer<Session | OperatorSession>>> => send(ADDRESS, {});

export const signInOperator = (token: string): Promise<Asked<Answer<OperatorSession>>> => open('operator', { token });

export const signIn = (site: string, secret: string): Promise<Asked<Answer>> => open(ADDRESS, { site, secret });

const NO_COOKIE =
  'This browser keeps no cookie of this server, and a session needs one. Allow cookies here, or open this address by https.';

/** The session that was opened is only known by its cookie, which a browser need not keep. */
async function open<T>(address: string, by: object): Promise<Asked<T>> {
  const asked = await send<T>(address, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(by) });
  const isLost = asked.body !== undefined && (await readSession()).code === FORBIDDEN;
  return isLost ? { message: NO_COOKIE, code: 0 } : asked;
}

/** Of the session that the browser has, which is that of another tab where one has signed in there since. */
export const signOut = ({ token }: Pick<Session, 'token'>): Promise<Asked<object>> =>
  sendWithToken(token, ADDRESS, { method: 'DELETE' });

/** The link of this page: opened by what stands after the # of its address, later by its cookie. */
export function openShared(): Promise<Asked<Answer>> {
  const token = location.hash.slice(1);
  if (!/^[\w-]{43}$/.test(token)) return send(ADDRESS, {});
  return open(ADDRESS, { token });
}
