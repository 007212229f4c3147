// The cookie in which older installations keep the reader's id, and in which scripts around them look for it. `p.js`
// alone reads and writes it, and only where the reader may have an id.
import { toJson } from '../track/toJson.ts';
import { ofDocument } from '../unclobbered.ts';
import type { IdCookie } from '../visitor.ts';

const NAME = '_parsely_visitor';
/** Thirteen months, in seconds. */
const MAX_AGE = 34_128_000;
/** Characters; those of older installations have about 130. */
const MAX_CHARS = 1000;
/** `pid=` and 32 hexadecimal digits, or a UUID with or without that beginning; an id of AMP. */
const ID = /^(?:pid=)?[\w-]{16,64}$/;

interface Visitor {
  id: string;
  session_count: number;
  last_session_ts: number;
}

export const idCookie: IdCookie = {
  prefix: 'pid=',
  read: () => found()?.id,
  write(id) {
    const old = found();
    const visitor = old?.id === id ? old : { id, session_count: 1, last_session_ts: Date.now() };
    const value = encodeURIComponent(toJson(visitor)!);
    // Others of the same name would be found before it: broken ones, and those of another domain.
    this.remove();
    for (const domain of domains()) {
      assign(`${NAME}=${value}; max-age=${MAX_AGE}${domain}`);
      if (values().includes(value)) return;
    }
  },
  remove() {
    for (const domain of domains()) assign(`${NAME}=; max-age=0${domain}`);
  },
};

/** The first one that is in order: anyone who serves a subdomain can plant another. */
function found(): Visitor | undefined {
  for (const value of values()) {
    const visitor = parse(value);
    if (visitor) return visitor;
  }
  return undefined;
}

function parse(value: string): Visitor | undefined {
  if (value.length > MAX_CHARS) return undefined;
  try {
    // AMP pages of the publisher's own host share the cookie: where there is none, AMP writes its id as it is.
    const { id, session_count, last_session_ts }: Partial<Visitor> = value.startsWith('amp-')
      ? { id: value }
      : JSON.parse(decodeURIComponent(value));
    if (typeof id !== 'string' || !ID.test(id)) return undefined;
    return { id, session_count: Number(session_count) || 1, last_session_ts: Number(last_session_ts) || Date.now() };
  } catch {
    // No JSON, or `null`: as good as none.
    return undefined;
  }
}

function values(): string[] {
  const all: string[] = [];
  try {
    for (const pair of ofDocument('cookie').split('; ')) {
      if (pair.startsWith(`${NAME}=`)) all[all.length] = pair.slice(NAME.length + 1);
    }
  } catch (error) {
    // In a sandboxed frame.
    console.debug(error);
  }
  return all;
}

/** By the setter of the document itself, past an element that is named `cookie`. */
function assign(cookie: string): void {
  try {
    const secure = location.protocol === 'https:' ? '; secure' : '';
    Reflect.set(Reflect.getPrototypeOf(document)!, 'cookie', `${cookie}; path=/; samesite=lax${secure}`, document);
  } catch (error) {
    console.debug(error);
  }
}

/** Widest first: browsers refuse public suffixes such as `co.uk`. Last the host alone, for names without a dot. */
function domains(): string[] {
  const labels = location.hostname.split('.');
  const all: string[] = [];
  for (let from = labels.length - 2; from >= 0; from--) all[all.length] = `; domain=${labels.slice(from).join('.')}`;
  return [...all, ''];
}
