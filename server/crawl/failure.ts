// Why a page was not read. A closed union: each is counted, reported to the caller, and decides what comes next.

export type Failure =
  | 'bad-url'
  | 'foreign-host'
  | 'private-address'
  | 'unknown-host'
  | 'unreachable'
  | 'too-slow'
  | 'too-many-redirects'
  | 'bad-status'
  | 'gone'
  | 'not-html'
  | 'bad-encoding'
  | 'robots'
  | 'unreadable';

/** Tried again later; the others are answers, and stay until the page is requested again. */
const PASSING: ReadonlySet<Failure> = new Set<Failure>(['unknown-host', 'unreachable', 'too-slow', 'bad-status']);

export const mayPass = (failure: Failure): boolean => PASSING.has(failure);

/** A page could not be read; `message` says it in a sentence for a publisher. */
export class CrawlError extends Error {
  override name = 'CrawlError';
  readonly failure: Failure;
  /** Milliseconds the server asked to be left alone for. */
  readonly retryAfter: number | undefined;

  constructor(failure: Failure, message: string, options: { cause?: unknown; retryAfter?: number | undefined } = {}) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.retryAfter = options.retryAfter;
  }
}
