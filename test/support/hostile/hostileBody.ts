// A request made to keep the server busy, and texts that such requests are made of.

/** What a request may carry of the site it is sent to. */
export interface Target {
  /** The Site ID, which is a host name too. */
  site: string;
  readSecret: string;
  writeSecret: string;
  /** How often the request was sent before: what is remembered of it must not answer. */
  attempt: number;
}

export interface HostileBody {
  /** What is hostile about it; with the method and the path it is the title of a test. */
  name: string;
  method: 'GET' | 'POST';
  /** Path, without a query. */
  path: string;
  /** Parameters of the query. Default: none. */
  query?: (target: Target) => Record<string, string>;
  /** Default: those of a browser. */
  headers?: Record<string, string>;
  /** Default: no body. */
  body?: (target: Target) => string | Uint8Array<ArrayBuffer>;
  /** Whether only who has a secret of the site gets this far: such requests may cost more. */
  needsSecret: boolean;
  /** Whether it brings events that are well formed: the answer waits for their insert. Default: no. */
  isInserted?: boolean;
  /** Code in the body of the answer, else its status. */
  status: number | readonly number[];
}

const CHINESE = Array.from({ length: 20_000 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('');

/** So many Chinese letters, the first 20,000 of them different. */
export const chinese = (count: number): string => CHINESE.repeat(Math.ceil(count / CHINESE.length)).slice(0, count);

/** A text of so many UTF-16 units at most, made of a pattern over and over. */
export const repeated = (pattern: string, length: number): string =>
  pattern.repeat(Math.floor(length / pattern.length));
