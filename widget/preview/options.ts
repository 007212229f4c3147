// What can be chosen for a list, in the order of the form. Values, bounds and defaults are those of the attributes.
import { ATTRIBUTES, type Attribute, type AttributeName, type Takes } from '../../server/contract/attributes.ts';

export type Kind = 'related' | 'top';

/** Attribute name → value; what is absent has its default. */
export type Values = Readonly<Record<string, string>>;

export interface Option {
  /** Attribute without `data-`. */
  name: string;
  label: string;
  /** Absent: both kinds. */
  kind?: Kind;
  group: 'List' | 'Which posts' | 'On the tag';
  control:
    | { is: 'choice'; values: readonly (readonly [value: string, label: string])[] }
    | { is: 'number'; min: number; max: number }
    | { is: 'text' | 'date' | 'url'; placeholder?: string }
    /** Checked says `value`. */
    | { is: 'switch'; value: string }
    /** Several words with spaces between; `none` where none is chosen: a query cannot have an empty value. */
    | { is: 'words'; values: readonly string[]; none: string };
  /** Left out of the snippet. */
  initial: string;
}

/** What the form adds to the declaration of an attribute: its label, its group, and a control of its own. */
type Choice = Pick<Option, 'label' | 'group'> & { name: AttributeName; control?: Option['control'] };

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function controlOf(takes: Takes): Option['control'] {
  switch (takes.is) {
    case 'choice':
      return { is: 'choice', values: takes.values.map((value) => [value, capital(value)] as const) };
    case 'words':
      return { is: 'words', values: takes.values, none: takes.none };
    case 'whole':
      return { is: 'number', min: takes.min, max: takes.max };
    case 'moment':
      return { is: 'date' };
    case 'picture':
      return { is: 'url', placeholder: 'https://' };
    default:
      return { is: 'text' };
  }
}

function optionOf({ name, control, ...shown }: Choice): Option {
  const { takes, of, initial = '' } = (ATTRIBUTES as readonly Attribute[]).find((one) => one.name === name)!;
  const own = control ?? controlOf(takes);
  // A switch that is off says nothing.
  return { name, ...(of && { kind: of }), control: own, initial: own.is === 'switch' ? '' : initial, ...shown };
}

const SHAPES = [
  ['', 'Auto'],
  ['1.78', '16:9'],
  ['1.5', '3:2'],
  ['1', '1:1'],
  ['0.8', '4:5'],
  ['off', 'None'],
] as const;

const CHOICES: readonly Choice[] = [
  { name: 'layout', label: 'Layout', group: 'List' },
  { name: 'limit', label: 'Posts', group: 'List' },
  { name: 'heading', label: 'Heading', group: 'List' },
  { name: 'meta', label: 'Under each title', group: 'List' },
  { name: 'image', label: 'Pictures', group: 'List', control: { is: 'choice', values: SHAPES } },
  { name: 'fallback', label: 'Picture for posts without one', group: 'List' },
  { name: 'type', label: 'Of what', group: 'Which posts' },
  { name: 'days', label: 'Read most in the last days', group: 'Which posts' },
  { name: 'section', label: 'Only the section', group: 'Which posts' },
  { name: 'author', label: 'Only the author', group: 'Which posts' },
  { name: 'tag', label: 'Only the tag', group: 'Which posts' },
  { name: 'sort', label: 'Newest first', group: 'Which posts', control: { is: 'switch', value: 'pub_date' } },
  {
    name: 'exclude',
    label: 'Leave out',
    group: 'Which posts',
    control: { is: 'text', placeholder: 'section:Opinion|tag:sponsored' },
  },
  { name: 'pub_date_start', label: 'Published since', group: 'Which posts' },
  {
    name: 'respect_empty_results',
    label: 'Nothing rather than the newest, where nothing is related',
    group: 'Which posts',
    control: { is: 'switch', value: '1' },
  },
  {
    name: 'consent',
    label: 'Wait for consent()',
    group: 'On the tag',
    control: { is: 'switch', value: 'required' },
  },
  { name: 'transport', label: 'JSON-P only', group: 'On the tag', control: { is: 'switch', value: 'jsonp' } },
];

export const OPTIONS: readonly Option[] = CHOICES.map(optionOf);

/** Options a kind of list has, and of them those that change something. */
export const optionsOf = (kind: Kind) => OPTIONS.filter((option) => option.kind === undefined || option.kind === kind);

/** Why an option changes nothing beside what else is chosen; undefined where it does. */
export function idle(name: string, { layout, image }: Values): string | undefined {
  if (layout === 'compact' && ['meta', 'image', 'fallback'].includes(name)) return 'A compact list has titles only.';
  return image === 'off' && name === 'fallback' ? 'No pictures are shown.' : undefined;
}

export const chosen = (kind: Kind, values: Values) =>
  optionsOf(kind).flatMap((option) => {
    const value = values[option.name];
    const says = value !== undefined && value !== option.initial && idle(option.name, values) === undefined;
    return says ? [{ ...option, value }] : [];
  });

/** What the list asks beside its page: filters and order, by the names of the interface. */
export const filtersOf = ({ kind, values }: { kind: Kind; values: Values }): [name: string, value: string][] =>
  chosen(kind, values)
    .filter(({ group }) => group === 'Which posts')
    .flatMap(({ name, value }) =>
      (name === 'exclude' ? value.split('|') : [value]).map((one): [string, string] => [name, one]),
    );
