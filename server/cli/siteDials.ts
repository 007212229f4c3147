// The dials of a site on the command line: its options, and how they are printed.
import { type Command, InvalidArgumentError } from 'commander';
import { DIALS, type DialChange, type DialName } from '../contract/dials.ts';
import type { SiteInfo } from './admin/siteInfo.ts';

/** -1 is what `none` becomes: commander takes no null for a value. */
export type DialFlags = { [Dial in DialName]?: number };

export function dialOptions(command: Command): Command {
  for (const { name, option, ends } of DIALS) {
    command.option(`--${name} <share>`, `${option}, from 0 (${ends[0]}) to 1 (${ends[1]}); none: the default`, share);
  }
  return command;
}

function share(text: string): number {
  if (text.trim().toLowerCase() === 'none') return -1;
  const value = /^\d?(?:\d|\.\d{1,20})$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('It takes a number from 0 to 1, such as 0.5, or none.');
}

export function toDials(flags: DialFlags): DialChange {
  const said = DIALS.flatMap(({ name }) => (flags[name] === undefined ? [] : ([[name, flags[name]]] as const)));
  return Object.fromEntries(said.map(([name, value]) => [name, value < 0 ? null : value]));
}

/** Only those that the site has. */
export function dialLines({ dials }: SiteInfo): string[] {
  const said = DIALS.flatMap(({ name }) => (dials[name] === undefined ? [] : `${name} ${dials[name]}`));
  return said.length === 0 ? [] : [`dials            ${said.join(', ')}`];
}
