// What is written wrongly on the tag or on a slot: the widget takes it for nothing said. Pure.
import { ATTRIBUTES, type Attribute, MOST_POSTS, type Takes } from '../contract/attributes.ts';
import { IMAGE_SERVICE } from '../contract/imageService.ts';
import { MAX_TOP_DAYS } from '../contract/limits.ts';
import type { DataTag } from '../posts/readPage/readPage.ts';
import { parseMoment } from '../traffic/moment.ts';
import { type Finding, ok, warning } from './finding.ts';

interface Rule {
  fits(value: string, kind: string): boolean;
  /** Without a value it looks like a boolean attribute that is set, but has no effect. */
  isSwitch: boolean;
  /** Finishes the sentence "It takes …". */
  takes: string;
}

const DECLARED: readonly Attribute[] = ATTRIBUTES;

const ruleOf = ({ name, takes, initial, otherwise }: Attribute): Rule => ({
  fits: (value, kind) => fits(takes, value, kind),
  isSwitch: takes.is === 'choice' && (initial ?? otherwise) === undefined,
  takes: PHRASES[name] ?? phraseOf(takes),
});

/** Sentences that say more than the values. */
const PHRASES: Readonly<Record<string, string>> = {
  meta: 'section, author and date, with spaces between',
  limit: `a whole number from 1; a list has at most ${MOST_POSTS}`,
  days: `a whole number from 1; a most read list looks back at most ${MAX_TOP_DAYS}`,
};

function fits(takes: Takes, value: string, kind: string): boolean {
  switch (takes.is) {
    case 'choice':
      return takes.values.includes(value);
    case 'words':
      return value.split(' ').every((word) => ['', takes.none, ...takes.values].includes(word));
    case 'whole': {
      const most = kind === 'related' ? (takes.mostRelated ?? takes.max) : takes.max;
      return /^\d{1,5}$/.test(value) && Number(value) >= takes.min && Number(value) <= most;
    }
    case 'ratio':
      return value === 'off' || (Number(value) >= takes.min && Number(value) <= takes.max);
    case 'url':
      return /^https?:\/\//i.test(value);
    case 'server':
      return /^https?:\/\/[^/]+(?:\/(?:.*\/)?)?$/i.test(value);
    case 'moment':
      return parseMoment(value) !== undefined;
    case 'exclusions':
      return value.split('|').every((one) => /^\s*(?:author|section|tag)s?:./.test(one));
    case 'imageService':
      return IMAGE_SERVICE.test(value);
    case 'text':
    case 'query':
    case 'siteId':
    case 'picture':
      return true;
  }
}

function phraseOf(takes: Takes): string {
  switch (takes.is) {
    case 'choice':
      return takes.values.join(', ');
    case 'words':
      return `${[...takes.values, takes.none].join(', ')}, with spaces between`;
    case 'whole':
      return `a whole number from ${takes.min} to ${takes.max}`;
    case 'ratio':
      return 'off, or width ÷ height as a number, such as 1.5';
    case 'url':
      return 'an http or https URL';
    case 'server':
      return 'an http or https URL with a slash at its end';
    case 'moment':
      return 'a date such as 2026-01-31, or 30d';
    case 'exclusions':
      return 'authors, section or tags, a colon and a value, such as tags:sports, with | between several';
    case 'imageService':
      return 'an http or https URL with {url} in it';
    case 'text':
    case 'query':
    case 'siteId':
    case 'picture':
      return 'any text';
  }
}

const rulesOf = (attributes: readonly Attribute[]): Record<string, Rule> =>
  Object.fromEntries(attributes.map((attribute) => [attribute.name, ruleOf(attribute)]));

const RULES = rulesOf(DECLARED.filter(({ on }) => on !== 'tag'));
const RULES_OF_TAG = rulesOf(DECLARED);

/** What the widget says is missing where nothing is: a list may still be added by a script of the page. */
const NONE = warning(
  'lists',
  'The HTML has no place for a list.',
  'Put one where it is to stand: <div data-afterword="related"></div>. One that a script adds later is not seen here.',
);

/** Elements that can have a shadow root, beside custom ones: a list is drawn in it. */
const HOLDERS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

const holdsList = ({ element }: DataTag): boolean => element.includes('-') || HOLDERS.has(element);

function complaintsOfElement(slot: DataTag): Finding[] {
  if (holdsList(slot)) return [];
  const says = `${nameOf(slot)} is a <${slot.element}>, in which browsers draw no list.`;
  return [warning('lists', says, 'Put the attributes on a <div>, in its place or in it.')];
}

/** @param tag Undefined where the page does not load the widget itself, or loads it as an older installation does. */
export function checkLists(slots: readonly DataTag[], tag: DataTag | undefined): Finding[] {
  const found = [
    ...(tag === undefined ? [] : complaintsOf(tag, { rules: RULES_OF_TAG, kind: '', name: 'The tag' })),
    ...slots.flatMap((slot) => [
      ...complaintsOfElement(slot),
      ...complaintsOf(slot, { rules: RULES, kind: kindOf(slot), name: nameOf(slot) }),
    ]),
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
    if (value === '' && (rule?.isSwitch || (attribute === 'afterword' && !element.startsWith('afterword-'))))
      complaints.push(warning('lists', `${name} has data-${attribute} without a value.`, `It takes ${rule!.takes}.`));
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
