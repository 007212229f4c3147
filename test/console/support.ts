// A browser's side of the console without a browser: what it sends, and the cookie it keeps.
import type { Hono } from 'hono';

export const ORIGIN = 'http://stats.example';

export interface SessionBody {
  success: boolean;
  code?: number;
  data: { site: string; role: string; timezone: string; until: string; now: string; token: string };
}

export interface Visitor {
  /** Value of the Cookie header; "" without a session. */
  cookie: string;
  /** Set-Cookie of the sign-in. */
  setCookie: string;
  token: string;
  body: SessionBody;
  /** Asks with the cookie. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** What the server says of the session: 200, or the code of its refusal. */
  state(): Promise<number>;
}

type App = Pick<Hono, 'request'>;

export const postSignIn = async (app: App, site: string, secret: string, headers: Record<string, string> = {}) =>
  await app.request(`${ORIGIN}/console/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ site, secret }),
  });

export async function signIn(app: App, { site, secret }: { site: string; secret: string }): Promise<Visitor> {
  const answer = await postSignIn(app, site, secret);
  const body = (await answer.json()) as SessionBody;
  const setCookie = answer.headers.get('Set-Cookie') ?? '';
  return visitor(app, { cookie: setCookie.split(';')[0] ?? '', setCookie, body, token: body.data?.token ?? '' });
}

/** The same session at another copy of the server. */
export function visitor(app: App, of: Omit<Visitor, 'send' | 'state'>): Visitor {
  const send = async (path: string, init: RequestInit = {}) =>
    await app.request(ORIGIN + path, {
      ...init,
      headers: { ...(of.cookie && { Cookie: of.cookie }), ...init.headers },
    });
  return {
    ...of,
    send,
    async state() {
      const { code = 200 } = (await (await send('/console/session')).json()) as SessionBody;
      return code;
    },
  };
}
