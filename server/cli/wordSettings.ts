// Settings in the words of an option: `layout=grid heading='Read on'`.
import { InvalidArgumentError } from 'commander';

/** A value, in quotes where it has blanks; source of a regular expression. */
export const QUOTED = `(?:"[^"]*"|'[^']*'|\\S+)`;

/** Settings, each after a blank; source of a regular expression. */
export const SETTINGS = `(?:\\s+[a-z-]+=${QUOTED})*`;

const SETTING = new RegExp(`([a-z-]+)=(${QUOTED})`, 'g');

export const unquoted = (value: string): string => value.replace(/^(["'])(.*)\1$/s, '$2');

/**
 * @param text Matches `SETTINGS`.
 * @param what Begins the sentence that refuses a setting, such as `A variant sets`.
 * @returns Names with their values, in order.
 * @throws {InvalidArgumentError} for a name that is not among the known ones.
 */
export function readSettings(text: string, known: readonly string[], what: string): [name: string, value: string][] {
  return [...text.matchAll(SETTING)].map(([, name = '', value = '']) => {
    if (!known.includes(name)) throw new InvalidArgumentError(`${what} ${known.join(', ')}, not ${name}.`);
    return [name, unquoted(value)];
  });
}
