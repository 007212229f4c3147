// Errors that several parts of the server raise and the HTTP layer answers.

/** Whether an error of the system has a code, such as `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** What a thrown value says: the message of an error, and any other value as text. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/**
 * Handles the failure of reading a file or a folder: one that is not there is undefined.
 * @throws any other error.
 */
export function undefinedIfMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error;
}

/** Raised where a queue is full or the server drains: answered with HTTP 503. */
export class OverloadedError extends Error {
  override name = 'OverloadedError';
}

/**
 * Raised where a site was removed while it was changed, by another copy of the server for example: answered as a
 * request for a site that is unknown.
 */
export class UnknownSiteError extends Error {
  override name = 'UnknownSiteError';

  constructor(site: string) {
    super(`There is no site ${site}.`);
  }
}

/**
 * Raised where the database, or a part of it, does not answer: answered with the last good list, or with HTTP
 * 503. The message is sent to the client, so it names no server.
 */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';
  /** Servers that do not answer, for the operator. Empty where that is not known. */
  readonly away: readonly string[];

  constructor(message: string, { away = [], ...options }: ErrorOptions & { away?: readonly string[] } = {}) {
    super(message, options);
    this.away = away;
  }
}
