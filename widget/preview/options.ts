// What can be chosen for a list, in the order of the form. The names are those of the attributes.

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
    /** Several words with spaces between. */
    | { is: 'words'; values: readonly string[] };
  /** Left out of the snippet. */
  initial: string;
}

export const OPTIONS: readonly Option[] = [
  {
    name: 'layout',
    label: 'Layout',
    group: 'List',
    control: {
      is: 'choice',
      values: [
        ['list', 'List'],
        ['grid', 'Grid'],
        ['row', 'Row'],
        ['compact', 'Compact'],
      ],
    },
    initial: 'list',
  },
  { name: 'limit', label: 'Posts', group: 'List', control: { is: 'number', min: 1, max: 25 }, initial: '5' },
  { name: 'heading', label: 'Heading', group: 'List', control: { is: 'text' }, initial: '' },
  {
    name: 'meta',
    label: 'Under each title',
    group: 'List',
    control: { is: 'words', values: ['section', 'author', 'date'] },
    initial: 'section date',
  },
  {
    name: 'image',
    label: 'Pictures',
    group: 'List',
    control: {
      is: 'choice',
      values: [
        ['', 'Auto'],
        ['1.78', '16:9'],
        ['1.5', '3:2'],
        ['1', '1:1'],
        ['0.8', '4:5'],
        ['off', 'None'],
      ],
    },
    initial: '',
  },
  {
    name: 'fallback',
    label: 'Picture for posts without one',
    group: 'List',
    control: { is: 'url', placeholder: 'https://' },
    initial: '',
  },
  {
    name: 'type',
    label: 'Of what',
    kind: 'top',
    group: 'Which posts',
    control: {
      is: 'choice',
      values: [
        ['posts', 'Posts'],
        ['videos', 'Videos'],
      ],
    },
    initial: 'posts',
  },
  {
    name: 'days',
    label: 'Read most in the last days',
    kind: 'top',
    group: 'Which posts',
    control: { is: 'number', min: 1, max: 31 },
    initial: '1',
  },
  { name: 'section', label: 'Only the section', group: 'Which posts', control: { is: 'text' }, initial: '' },
  { name: 'author', label: 'Only the author', group: 'Which posts', control: { is: 'text' }, initial: '' },
  { name: 'tag', label: 'Only the tag', group: 'Which posts', control: { is: 'text' }, initial: '' },
  {
    name: 'sort',
    label: 'Newest first',
    kind: 'related',
    group: 'Which posts',
    control: { is: 'switch', value: 'pub_date' },
    initial: '',
  },
  {
    name: 'exclude',
    label: 'Leave out',
    kind: 'related',
    group: 'Which posts',
    control: { is: 'text', placeholder: 'section:Opinion|tag:sponsored' },
    initial: '',
  },
  {
    name: 'pub_date_start',
    label: 'Published since',
    kind: 'related',
    group: 'Which posts',
    control: { is: 'date' },
    initial: '',
  },
  {
    name: 'respect_empty_results',
    label: 'Nothing rather than the newest, where nothing is related',
    kind: 'related',
    group: 'Which posts',
    control: { is: 'switch', value: '1' },
    initial: '',
  },
  {
    name: 'consent',
    label: 'Wait for consent()',
    group: 'On the tag',
    control: { is: 'switch', value: 'required' },
    initial: '',
  },
  {
    name: 'transport',
    label: 'JSON-P only',
    group: 'On the tag',
    control: { is: 'switch', value: 'jsonp' },
    initial: '',
  },
];

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
