// Questions to our own server, through the session of the cookie. Never throws: what went wrong is a sentence for the
// page. Addresses are relative to the console's folder, so a proxy may put it below any prefix.
import { SITE_HEADER, TOKEN_HEADER } from '../../server/contract/headers.ts';
import { placeOf } from './place.ts';

export interface Asked<T> {
  body?: T;
  /** "" when all went well. */
  message: string;
  /** 0 where the server did not answer. */
  code: number;
  /** What is wrong with which field of what was sent. */
  errors?: Readonly<Record<string, string[]>>;
}

interface Body {
  success?: boolean;
  code?: number;
  message?: string;
  errors?: Record<string, string[]>;
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Refused for want of a session. */
export const FORBIDDEN = 403;
/** Refused for what was sent, or because the thing to change is in another state by now. */
export const UNPROCESSABLE = 422;

export type Params = readonly (readonly [name: string, value: string])[];

/** The database is asked more than it can answer now. */
const BUSY = 503;
const ATTEMPTS = 3;
const PAUSE_MS = 1_000;

/**
 * A question to the API, such as `/v2/analytics/posts`, about the site of the session, or to another address below the
 * console, such as `operator/sites`. A busy server is asked again twice: the tables of the page come at once, and those
 * of a large site wait for each other.
 */
export async function askApi<T>(path: string, params: Params, signal?: AbortSignal): Promise<Asked<T>> {
  const address = addressOf(path, params);
  for (let attempt = 1; ; attempt++) {
    const asked = naming(params, await send<T>(address, signal ? { signal } : {}));
    if (asked.code !== BUSY || attempt === ATTEMPTS || signal?.aborted) return asked;
    await new Promise((done) => setTimeout(done, PAUSE_MS * attempt));
  }
}

/** What is wrong with a question is said of its parameters: those of the page's address have the same names. */
function naming<T>(params: Params, asked: Asked<T>): Asked<T> {
  if (asked.errors === undefined) return asked;
  const said = Object.entries(asked.errors).map(([name, complaints]) => {
    const value = params.find(([one]) => one === name)?.[1];
    return `${name}${value === undefined ? '' : ` “${value}”`}: ${complaints.join(' ')}`;
  });
  return { ...asked, message: said.join(' ') };
}

/**
 * Changes something of the site, through an endpoint of the API such as `/v2/experiments`. Not repeated: what failed
 * may have happened.
 * @param body Sent as JSON. Default: the parameters alone, in the address.
 */
export async function act<T>(token: string, path: string, body?: object, params: Params = []): Promise<Asked<T>> {
  return await change<T>(token, addressOf(path, params), {
    method: 'POST',
    ...(body && { headers: JSON_TYPE, body: JSON.stringify(body) }),
  });
}

/** The page's session could act: it has ended, or a sign-in in another tab has replaced it by one that only reads. */
const REFUSED =
  'Nothing was changed: your session has ended, or only reads. Sign in with the write secret, then repeat it: what is typed stays.';

/** Name of the event of the window when a change is refused because of the session. */
export const CHANGE_REFUSED = 'afterword-change-refused';

/** As `sendWithToken`, for what changes something, in a session that may act. */
export const change = async <T>(token: string, address: string, init: RequestInit): Promise<Asked<T>> =>
  ofChange(await sendWithToken<T>(token, address, init));

/** The answer to a change, or to a question that a change begins with: says what to do where the session refuses it. */
export function ofChange<T>(asked: Asked<T>): Asked<T> {
  if (asked.code !== FORBIDDEN) return asked;
  dispatchEvent(new Event(CHANGE_REFUSED));
  return { ...asked, message: REFUSED };
}

/**
 * As `send`, for what takes the token of the session. A sign-in in another tab has replaced the session that the page
 * knows, in the cookie of all tabs: what was refused is sent once more, with the token of the session there is now.
 */
export async function sendWithToken<T>(token: string, address: string, init: RequestInit): Promise<Asked<T>> {
  const sendWith = (sessionToken: string) => {
    const headers = { ...(init.headers as Record<string, string>), [TOKEN_HEADER]: sessionToken };
    return send<T>(address, { ...init, headers });
  };
  const asked = await sendWith(token);
  if (asked.code !== FORBIDDEN) return asked;
  const { body } = await send<{ data: { token: string } }>('session', {});
  return body === undefined || body.data.token === token ? asked : await sendWith(body.data.token);
}

const addressOf = (path: string, params: Params): string =>
  `${path.startsWith('/') ? 'api' : ''}${path}?${new URLSearchParams(params.map(([name, value]) => [name, value]))}`;

/**
 * A statement of a question waits for ten seconds and runs for fifteen at most. A browser waits for a quarter of an
 * hour where a connection broke unnoticed, behind a tunnel or a firewall.
 */
const PATIENCE_MS = 60_000;

/** What is not answered within a minute fails, as where the server does not answer. */
export async function send<T>(address: string, { signal, ...init }: RequestInit): Promise<Asked<T>> {
  const { root, site, shown } = placeOf();
  const named = site ?? shown;
  const headers = {
    ...(init.headers as Record<string, string>),
    ...(named !== undefined && { [SITE_HEADER]: named }),
  };
  const asking = new AbortController();
  const leave = () => asking.abort();
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave);
  const patience = setTimeout(() => asking.abort(new DOMException('Too late.', 'TimeoutError')), PATIENCE_MS);
  const how: RequestInit = { credentials: 'same-origin', cache: 'no-store', ...init, headers, signal: asking.signal };
  try {
    const response = await fetch(root + address, how);
    return toAsked(response.status, parsed<Body & T>(await response.text()));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return { message: 'Left.', code: 0 };
    return { message: NO_ANSWER, code: 0 };
  } finally {
    clearTimeout(patience);
    signal?.removeEventListener('abort', leave);
  }
}

const NO_ANSWER = 'The server did not answer. Is it running, and is this device online?';

/** What a proxy answers in place of a server that is away. */
const AWAY: readonly number[] = [502, BUSY, 504];

/** @param body undefined: what came is not of the server, whose every answer is JSON. */
function toAsked<T>(status: number, body: (Body & T) | undefined): Asked<T> {
  const page = `A page with status ${status} came instead of an answer. Does a proxy or a network want you to sign in?`;
  if (body === undefined) return { message: AWAY.includes(status) ? NO_ANSWER : page, code: 0 };
  if (body.success) return { body, message: '', code: 200 };
  const complaints = Object.values(body.errors ?? {}).flat();
  const message = complaints.join(' ') || body.message || `The server answered with status ${status}.`;
  return { message, code: body.code ?? status, ...(body.errors && { errors: body.errors }) };
}

function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
