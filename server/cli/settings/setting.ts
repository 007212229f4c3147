// One setting: its flag, its environment variable, what it accepts, and how it becomes an option of the command line.
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { CommandError } from '../commandError.ts';

export interface Setting<T> {
  flag: string;
  env: string;
  about: string;
  /** Finishes the sentence "--flag takes …". */
  accepts: string;
  /** Text the setting has when neither flag nor variable says anything; undefined: not set. */
  fallback?: string;
  /** true: the value may hold a password and is never repeated in an error. */
  secret?: boolean;
  read: z.ZodType<T, string>;
}

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));

export function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}

/**
 * An empty text means the same as saying nothing: compose files hand empty variables on. A flag whose value may be left
 * out, `[yes|no]`, is true then.
 */
export function toOption<T>(definition: Setting<T>): Option {
  const { flag, env, about, fallback } = definition;
  const unset = fallback === undefined ? undefined : readSetting(definition, fallback);
  const option = new SettingOption(flag, about).env(env);
  if (unset !== undefined) option.default(unset, fallback || 'none');
  return option.argParser((text) => (text.trim() === '' ? unset : readSetting(definition, text.trim())));
}

/** Its parser returns undefined for an empty text where there is no fallback. */
class SettingOption extends Option {}

/**
 * Unsets settings without a fallback whose text was empty: commander stores '' where their parser returns undefined.
 */
export function unsetEmpty(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const isEmpty = option instanceof SettingOption && command.getOptionValue(name) === '';
    if (isEmpty) command.setOptionValue(name, undefined);
  }
}

/** User name and password of an address. */
const PASSWORD = /\/\/[^/?#]*@/g;

/** @throws {CommandError} Names the flag and the variable, and says what is accepted. */
export function readSetting<T>({ flag, env, accepts, secret, read }: Setting<T>, text: string): T {
  const result = read.safeParse(text);
  if (result.success) return result.data;
  const given = secret ? '' : `, not "${text.replace(PASSWORD, '//…@')}"`;
  throw new CommandError(`${flag.split(' ')[0]} (or ${env}) takes ${accepts}${given}.`, 2);
}
