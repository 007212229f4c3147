// Key-value pairs in the value of an option: `layout=grid heading='Read on'`.
import { InvalidArgumentError } from 'commander';

/** Source of a regular expression: a value, in quotes where it has blanks. */
export const VALUE_PATTERN = `(?:"[^"]*"|'[^']*'|\\S+)`;

/** Source of a regular expression: any number of pairs, each after a blank. */
export const PAIRS_PATTERN = `(?:\\s+[a-z-]+=${VALUE_PATTERN})*`;

const PAIR = new RegExp(`([a-z-]+)=(${VALUE_PATTERN})`, 'g');

export const unquote = (value: string): string => value.replace(/^(["'])(.*)\1$/s, '$2');

/**
 * @param text Matches `PAIRS_PATTERN`.
 * @param keys Those that may be given.
 * @param refusal Begins the error about another key, such as `A variant sets`.
 * @throws {InvalidArgumentError}
 */
export function parsePairs(text: string, keys: readonly string[], refusal: string): [key: string, value: string][] {
  return [...text.matchAll(PAIR)].map(([, key = '', value = '']) => {
    if (!keys.includes(key)) throw new InvalidArgumentError(`${refusal} ${keys.join(', ')}, not ${key}.`);
    return [key, unquote(value)];
  });
}
