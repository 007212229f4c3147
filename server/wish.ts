// What is created on request (experiments, sets of rules), and why a request is refused.

/** `wish`: the request is wrong whatever is stored. `stored`: a name is taken, for example, or a set is not there. */
type WishFault = 'wish' | 'stored';

/** A request that breaks a rule, or changes something that is not there; the message says what to do. */
export class WishError extends Error {
  override name = 'WishError';
  /** Of the wish, such as `slot` or `variants.1.share`; undefined: none alone. */
  readonly field: string | undefined;
  readonly fault: WishFault;

  /** @param fault Default: the wish, where one field of it is named. */
  constructor(message: string, field?: string, fault: WishFault = field === undefined ? 'stored' : 'wish') {
    super(message);
    this.field = field;
    this.fault = fault;
  }
}

/** @throws {WishError} */
export function refuseWish(message: string, field?: string, fault?: WishFault): never {
  throw new WishError(message, field, fault);
}

/** Names that stand in addresses and reports: lower-case letters, digits and hyphens, at most 64. */
export const NAME_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** What was given, short enough for an error. */
export const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

const MOST_NAMED = 20;

/**
 * Ends an error about a name that is not there, wherever it is read: on a command line, by a program, by an assistant.
 * @param existing Those that are there, the newest last.
 */
export function namesOf(existing: readonly { name: string }[]): string {
  if (existing.length === 0) return 'There is none yet.';
  const names = existing.slice(-MOST_NAMED).map(({ name }) => name);
  const others = existing.length - names.length;
  const more = others > 0 ? ` and ${others} ${others === 1 ? 'other' : 'others'}` : '';
  return `Those there are: ${names.join(', ')}${more}.`;
}
