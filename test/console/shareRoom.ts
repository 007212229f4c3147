// A newsroom whose editor makes links to one view of the console, and the browser's side of who opens them.
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';
import { ORIGIN, signIn, type Visitor } from './support.ts';

export const DAY = 86_400_000;

export interface Body {
  success?: boolean;
  code?: number;
  errors?: Record<string, string[]>;
  data: { id: string; path: string; name: string; search: string; until: string; site: string; shared: object }[] &
    Record<string, string>;
}

export const json = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Body;

/** What an editor sends for a link. */
export const shareInput = (search = '?period=7d', days = 7, name = 'For the board') => ({ name, days, search });

export const make = (who: Visitor, body: object = shareInput(), token = who.token) =>
  json(
    who.send('/console/shares', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Afterword-Token': token },
      body: JSON.stringify(body),
    }),
  );

export const revoke = (who: Visitor, id: string) =>
  json(who.send(`/console/shares/${id}`, { method: 'DELETE', headers: { 'Afterword-Token': who.token } }));

export interface Guest {
  id: string;
  cookie: string;
  setCookie: string;
  body: Body;
  /** Asks with the cookie, below the folder of the link. */
  ask(path: string, init?: RequestInit, app?: Newsroom['app']): Promise<Body>;
}

/** Does what the page of a link does with its address. */
export async function open(app: Newsroom['app'], path: string, headers: Record<string, string> = {}): Promise<Guest> {
  const [folder = '', token = ''] = path.split('#');
  const answer = await app.request(`${ORIGIN}/console/${folder}session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ token }),
  });
  const setCookie = answer.headers.get('Set-Cookie') ?? '';
  const cookie = setCookie.split(';')[0] ?? '';
  return {
    id: folder.split('/')[1]!,
    cookie,
    setCookie,
    body: await json(answer),
    ask: (below, init = {}, elsewhere = app) =>
      json(
        elsewhere.request(`${ORIGIN}/console/${folder}${below}`, {
          ...init,
          headers: { ...(cookie && { Cookie: cookie }), ...init.headers },
        }),
      ),
  };
}

export interface ShareRoom {
  room: Newsroom;
  /** Epoch milliseconds of the server's clock. */
  now: number;
  /** Signed in with the write secret. */
  editor: Visitor;
  /** Moves the clock, and signs the editor in again. */
  moveTo(now: number): Promise<void>;
  /** Makes a link and opens it. */
  share(search?: string, days?: number): Promise<Guest & { path: string }>;
  dayBefore(days: number): string;
  /** What the page of a link asks for seven days. */
  week(): string;
  /** The question of its first table. */
  posts(query?: string): string;
}

export async function openShareRoom(): Promise<ShareRoom> {
  const now = Date.UTC(2030, 0, 10, 12);
  const room = await openNewsroom({ now, timezone: 'Europe/Madrid' });
  const signedIn = () => signIn(room.app, { site: room.site.id, secret: room.writeSecret });
  const shares: ShareRoom = {
    room,
    now,
    editor: await signedIn(),
    async moveTo(next) {
      shares.now = next;
      room.setNow(next);
      // The newest word on a site counts.
      await replaceSite(room.deps.sites, room.site);
      shares.editor = await signedIn();
    },
    async share(search, days) {
      const { path = '' } = (await make(shares.editor, shareInput(search, days))).data;
      return { path, ...(await open(room.app, path)) };
    },
    dayBefore: (days) => new Date(shares.now - days * DAY).toISOString().slice(0, 10),
    week: () => `period_start=${shares.dayBefore(6)}`,
    posts: (query = shares.week()) => `api/v2/analytics/posts?sort=views&metrics=views&limit=10&${query}`,
  };
  return shares;
}
