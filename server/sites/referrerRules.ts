// A site's own rules for referrers: which category a host has there, whatever the table says. Pure.
import { REFERRER_CATEGORIES, type ReferrerCategory } from '../contract/referrers.ts';
import { parseDomain } from './parseSite.ts';

/** Host, Android package, or `*.` and a host for all of its subdomains → category. */
export type ReferrerRules = ReadonlyMap<string, ReferrerCategory>;

/** Rules of one site at most: each is compared with every view's referrer. */
export const MOST_RULES = 200;

/** What takes a rule away. */
const NONE = 'none';

export interface RuleChange {
  host: string;
  /** undefined: the rule is removed. */
  category: ReferrerCategory | undefined;
}

/**
 * Reads `host=category`, `*.host=category` or `host=none`.
 * @returns What is wrong with it, as a sentence, where it is none of these.
 */
export function parseRule(text: string): RuleChange | string {
  const equals = text.lastIndexOf('=');
  const [written, word] = [
    text.slice(0, equals).trim().toLowerCase(),
    text
      .slice(equals + 1)
      .trim()
      .toLowerCase(),
  ];
  const categories: readonly string[] = REFERRER_CATEGORIES;
  if (equals === -1 || !(word === NONE || categories.includes(word)))
    return `--referrer takes host=category with one of ${[...categories, NONE].join(', ')}, not "${text}".`;
  const wide = written.startsWith('*.') ? '*.' : '';
  const host = parseDomain(written.slice(wide.length).replace(/^www\./, ''));
  if (host === undefined || host.includes(':') || !host.includes('.'))
    return `--referrer takes a host such as news.example, *.news.example or com.example.app, not "${written}".`;
  return { host: wide + host, category: word === NONE ? undefined : (word as ReferrerCategory) };
}

/** The rules after some changes, by host; the input is left as it is. */
export function changeRules(rules: ReferrerRules, changes: readonly RuleChange[]): ReferrerRules {
  const changed = new Map(rules);
  for (const { host, category } of changes) {
    if (category === undefined) changed.delete(host);
    else changed.set(host, category);
  }
  return new Map([...changed].sort(([a], [b]) => (a < b ? -1 : 1)));
}
