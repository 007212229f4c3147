// A newsroom whose console takes accounts of a real OpenID Connect provider, and a browser's way from one to the other.
import type { Hono } from 'hono';
import { type Logger, pino } from 'pino';
import { createApp } from '../../server/app.ts';
import { type Access, toGrants } from '../../server/console/oidc/grants.ts';
import type { OidcSettings } from '../../server/console/oidc/provider.ts';
import { hashSecret } from '../../server/sites/secrets.ts';
import type { Site } from '../../server/sites/site.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { type Account, CLIENT, openProvider, type SignInProvider } from '../support/signInProvider.ts';
import { ORIGIN, type SessionBody, type Visitor, visitor } from './support.ts';

export const CALLBACK = `${ORIGIN}/console/oidc/callback`;

export const OTHER = 'other.example';

export const ACCESSES: readonly Access[] = [
  { claim: 'email', value: '*@paper.example', role: 'read', site: 'paper.example' },
  { claim: 'groups', value: 'editors', role: 'act', site: 'paper.example' },
  { claim: 'groups', value: 'desk', role: 'read', site: '*' },
  { claim: 'groups', value: 'admins', role: 'operator', site: '*' },
];

export const EMAIL = 'ann@paper.example';
/** An account whose address is verified, and one whose address is not. */
export const ann = (...groups: string[]): Account => ({
  sub: 'subject-of-ann',
  email: EMAIL,
  email_verified: true,
  groups,
});
export const eve = (...groups: string[]): Account => ({ sub: 'subject-of-eve', email: 'eve@evil.example', groups });

export interface SignInRoom {
  room: Newsroom;
  provider: SignInProvider;
  /** What the log says since the last test began. */
  lines: string[];
  /** So much later that attempts are forgotten. @returns The time, and the application with a provider. */
  nextTest(): { now: number; app: Hono };
  close(): Promise<void>;
}

/** A newsroom with two sites, and a provider. */
export async function openSignInRoom(): Promise<SignInRoom> {
  let now = Date.UTC(2030, 0, 1);
  const lines: string[] = [];
  const log: Logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const provider = await openProvider({ redirectUris: [CALLBACK] });
  const room = await openNewsroom({ now, log });
  await room.deps.sites.add({ ...room.site, id: OTHER as Site['id'], secretHash: hashSecret('other') });
  return {
    room,
    provider,
    lines,
    nextTest() {
      now += 1000 * 3_600_000;
      room.setNow(now);
      lines.length = 0;
      return { now, app: withProvider(room, settingsFor(provider.issuer, ACCESSES)) };
    },
    async close() {
      await room.close();
      await provider.close();
    },
  };
}

export function settingsFor(issuer: string, accesses: readonly Access[], of: Partial<OidcSettings> = {}): OidcSettings {
  return {
    issuer: new URL(issuer),
    clientId: CLIENT.client_id,
    clientSecret: CLIENT.client_secret,
    name: 'Example & Co',
    scope: 'openid email groups',
    redirectUri: new URL(CALLBACK),
    grants: toGrants({ issuer, clientId: CLIENT.client_id }, accesses),
    ...of,
  };
}

/** The application of a newsroom, with a provider. */
export const withProvider = (room: Newsroom, oidc: OidcSettings): Hono =>
  createApp({ ...room.deps, settings: { ...room.deps.settings, oidc } });

export interface Begun {
  /** At the provider. */
  location: URL;
  /** Of the sign-in, as the browser sends it. */
  cookie: string;
  setCookie: string;
}

export async function begin(app: Hono, query = ''): Promise<Begun> {
  const answer = await app.request(`${ORIGIN}/console/oidc${query}`);
  const setCookie = answer.headers.get('Set-Cookie') ?? '';
  return { location: new URL(answer.headers.get('Location') ?? ''), cookie: setCookie.split(';')[0] ?? '', setCookie };
}

/** Follows the provider until it sends the browser back. @returns Path and query of the address there. */
export async function passProvider(from: URL): Promise<string> {
  const cookies = new Map<string, string>();
  let at = from;
  for (let step = 0; step < 10; step++) {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { Cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = answer.headers.get('Location');
    if (location === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
    at = new URL(location, at);
    if (at.origin === ORIGIN) return at.pathname + at.search;
  }
  throw new Error('The provider sends the browser around in a circle.');
}

export const comeBack = async (app: Hono, path: string, cookie: string): Promise<Response> =>
  await app.request(ORIGIN + path, { headers: { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' } });

/** The whole way, from the link in the form to the answer of the console. */
export async function wayThrough(app: Hono, query = ''): Promise<Response> {
  const { location, cookie } = await begin(app, query);
  return await comeBack(app, await passProvider(location), cookie);
}

/** The same, to a session. */
export async function signInThere(app: Hono, query = ''): Promise<Visitor> {
  const answer = await wayThrough(app, query);
  const setCookie = answer.headers.getSetCookie().find((line) => line.startsWith('afterword_console=')) ?? '';
  const cookie = setCookie.split(';')[0] ?? '';
  const state = await app.request(`${ORIGIN}/console/session`, { headers: { Cookie: cookie } });
  const body = (await state.json()) as SessionBody;
  return visitor(app, { cookie, setCookie, body, token: body.data?.token ?? '' });
}

export const codeOf = async (asked: Promise<Response>): Promise<number> =>
  ((await (await asked).json()) as { code?: number }).code ?? 200;

/** Text of a page, without its markup. */
export const wordsOf = async (answer: Response): Promise<string> =>
  (await answer.text())
    .replace(/^.*<body>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
