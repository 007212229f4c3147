// What is written wrongly on the tag or on a slot: the widget takes it for nothing said, and a publisher wonders. Pure.
import type { DataTag } from '../posts/readPage/readPage.ts';
import { parseMoment } from '../traffic/moment.ts';
import { type Finding, ok, warning } from './finding.ts';

interface Rule {
  fits(value: string, kind: string): boolean;
  /** Finishes the sentence "It takes …". */
  takes: string;
}

const anything: Rule = { fits: () => true, takes: 'any text' };
const oneOf = (...words: string[]): Rule => ({ fits: (value) => words.includes(value), takes: words.join(', ') });
const whole = (most: number): Rule => ({
  fits: (value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= most,
  takes: `a whole number from 1 to ${most}`,
});
const moment: Rule = { fits: (value) => parseMoment(value) !== undefined, takes: 'a date such as 2026-01-31, or 30d' };
const address: Rule = { fits: (value) => /^https?:\/\//i.test(value), takes: 'an http or https URL' };
const wordsOf = (...words: string[]): Rule => ({
  fits: (value) => value.split(' ').every((word) => word === '' || words.includes(word)),
  takes: `${words.join(', ')}, with spaces between`,
});

/** Most posts of a list, as the widget and fragments have it. */
export const MOST_SHOWN = 25;
const DAYS_OF_TOP = 31;
const DAYS = 36_500;

/** Attributes without their `data-`, as docs/attributes.md lists them. */
const RULES: Record<string, Rule> = {
  afterword: oneOf('related', 'top'),
  limit: { ...whole(MOST_SHOWN), takes: `a whole number from 1; a list has at most ${MOST_SHOWN}` },
  layout: oneOf('list', 'grid', 'row', 'compact'),
  heading: anything,
  'heading-level': whole(6),
  label: anything,
  meta: { ...wordsOf('section', 'author', 'date', 'off'), takes: 'section, author and date, with spaces between' },
  image: {
    fits: (value) => value === 'off' || (Number(value) >= 0.2 && Number(value) <= 5),
    takes: 'off, or width ÷ height as a number, such as 1.5',
  },
  columns: whole(12),
  fallback: anything,
  type: oneOf('posts', 'videos'),
  days: {
    fits: (value, kind) => whole(kind === 'top' ? DAYS_OF_TOP : DAYS).fits(value, kind),
    takes: `a whole number from 1; a most read list looks back at most ${DAYS_OF_TOP}`,
  },
  channel: oneOf('website', 'amp', 'fbia'),
  section: anything,
  author: anything,
  tag: anything,
  sort: oneOf('score', '_score', 'pub_date'),
  exclude: {
    fits: (value) => value.split('|').every((one) => /^\s*(?:author|section|tag)s?:./.test(one)),
    takes: 'authors, section or tags, a colon and a value, such as tags:sports, with | between several',
  },
  pub_date_start: moment,
  pub_date_end: moment,
  respect_empty_results: oneOf('1', '0', 'true', 'false'),
  by: oneOf('url', 'visitor'),
  fill: oneOf('off'),
  repeat: oneOf('on'),
  url: address,
  'image-src': anything,
  itm: anything,
  shadow: oneOf('off'),
  lazy: oneOf('off'),
  transport: oneOf('jsonp'),
};

const RULES_OF_TAG: Record<string, Rule> = {
  ...RULES,
  site: anything,
  consent: oneOf('required'),
  visitor: anything,
  track: wordsOf(
    'pageview',
    'heartbeat',
    'videostart',
    'vheartbeat',
    'share',
    'conversion',
    'custom',
    'profile',
    'none',
  ),
  debug: oneOf('1'),
};

/** What the widget says is missing where nothing is: a list may still be added by a script of the page. */
const NONE = warning(
  'lists',
  'The HTML has no place for a list.',
  'Put one where it is to stand: <div data-afterword="related"></div>. One that a script adds later is not seen here.',
);

/** @param tag Undefined where the page does not load the widget itself, or loads it as an older installation does. */
export function checkLists(slots: readonly DataTag[], tag: DataTag | undefined): Finding[] {
  const found = [
    ...(tag === undefined ? [] : complaintsOf(tag, { rules: RULES_OF_TAG, kind: '', name: 'The tag' })),
    ...slots.flatMap((slot) => complaintsOf(slot, { rules: RULES, kind: kindOf(slot), name: nameOf(slot) })),
  ];
  if (found.length > 0) return found;
  if (slots.length === 0) return tag === undefined ? [] : [NONE];
  return [ok('lists', `${slots.map(kindOf).join(', ')}.`)];
}

export const kindOf = ({ element, data }: DataTag): string =>
  data.afterword || (/^afterword-(.*)/.exec(element)?.[1] ?? 'related');

export const nameOf = (slot: DataTag): string =>
  slot.data.afterword === undefined ? `<${slot.element}>` : `The slot "${kindOf(slot)}"`;

interface Told {
  rules: Record<string, Rule>;
  kind: string;
  name: string;
}

function complaintsOf({ element, data, bare }: DataTag, { rules, kind, name }: Told): Finding[] {
  const complaints: Finding[] = [];
  if (element.startsWith('afterword-') && !rules.afterword!.fits(kind, kind))
    complaints.push(warning('lists', `${name} is no list.`, 'Write <afterword-related> or <afterword-top>.'));
  for (const [attribute, value] of Object.entries(data)) {
    const rule = Object.hasOwn(rules, attribute) ? rules[attribute] : undefined;
    const meant = rule === undefined ? closest(attribute, Object.keys(rules)) : undefined;
    if (meant !== undefined)
      complaints.push(warning('lists', `${name} has data-${attribute}.`, `Was data-${meant} meant?`));
    if (rule !== undefined && value !== '' && !rule.fits(value, kind))
      complaints.push(warning('lists', `${name} has data-${attribute}="${value}".`, `It takes ${rule.takes}.`));
  }
  for (const attribute of bare)
    if (Object.hasOwn(rules, attribute))
      complaints.push(warning('lists', `${name} has ${attribute}.`, `Write data-${attribute}.`));
  return complaints;
}

/** Slots may carry attributes of the page: only a name that nearly equals one of ours is reported. */
function closest(name: string, names: readonly string[]): string | undefined {
  const plain = name.replaceAll(/[-_]/g, '');
  return names.find((one) => one.length > 3 && isNear(plain, one.replaceAll(/[-_]/g, '')));
}

/** One letter more, one less, another one, or two changed about. */
function isNear(a: string, b: string): boolean {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    restA === restB ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}
