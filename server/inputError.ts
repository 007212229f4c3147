// Input from which something is created (experiments, sets of rules, annotations), and why it is refused.

/** `input`: it is wrong whatever is stored. `stored`: a name is taken, for example, or a set is not there. */
type InputFault = 'input' | 'stored';

/** Input that breaks a rule, or changes something that is not there; the message says what to do. */
export class InputError extends Error {
  override name = 'InputError';
  /** Of the input, such as `slot` or `variants.1.share`; undefined: none alone. */
  readonly field: string | undefined;
  readonly fault: InputFault;

  /** @param fault Default: the input, where one field of it is named. */
  constructor(message: string, field?: string, fault: InputFault = field === undefined ? 'stored' : 'input') {
    super(message);
    this.field = field;
    this.fault = fault;
  }
}

/** @throws {InputError} */
export function refuseInput(message: string, field?: string, fault?: InputFault): never {
  throw new InputError(message, field, fault);
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
