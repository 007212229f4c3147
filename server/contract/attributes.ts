// The attributes of the tag and of slots, each declared once. The types of the widget, the parameters of fragments, the
// check of a page, the preview and the table in docs/attributes.md derive from this list.

export const KINDS = ['related', 'top'] as const;
export const LAYOUTS = ['list', 'grid', 'row', 'compact'] as const;

/** Maximum number of posts in a list: a page with millions of rows blocks the browser. */
export const MOST_POSTS = 25;
/** Number of posts in a list without a number. */
export const POSTS = 5;

/** Type of an attribute's value. */
export type Takes =
  | { readonly is: 'choice'; readonly values: readonly string[] }
  /** Several words, separated by spaces. */
  | { readonly is: 'words'; readonly values: readonly string[]; readonly none: string }
  /** A whole number; `mostRelated` is the larger maximum of a related list. */
  | { readonly is: 'whole'; readonly min: number; readonly max: number; readonly mostRelated?: number }
  /** Width divided by height, or `off`. */
  | { readonly is: 'ratio'; readonly min: number; readonly max: number }
  | {
      readonly is:
        | 'text'
        | 'query'
        | 'siteId'
        | 'url'
        | 'picture'
        | 'server'
        | 'imageService'
        | 'moment'
        | 'exclusions';
    };

export interface Attribute {
  /** Name without `data-`. */
  readonly name: string;
  /** The only element it may stand on. Default: on a slot, and on the tag as the default of all slots. */
  readonly on?: 'tag' | 'slot';
  readonly takes: Takes;
  /** Default as text, as a slot would give it. Absent: no default. */
  readonly initial?: string;
  /** Description of the default, for the documentation. Default: `initial`. */
  readonly otherwise?: string;
  /** The kind of list that supports it. Default: both. */
  readonly of?: (typeof KINDS)[number];
  /** Concerns the look of the list: fragments take it as a parameter. */
  readonly look?: true;
  /** Sent as the parameter of the same name in the request for a list: of both kinds, or of related lists only. */
  readonly asks?: 'both' | 'related';
  /** Its meaning, in a sentence. */
  readonly sentence: string;
  /** Details beyond the sentence, for docs/attributes.md. */
  readonly more?: string;
}

export const ATTRIBUTES = [
  { name: 'site', on: 'tag', takes: { is: 'siteId' }, otherwise: 'required', sentence: 'Whose page this is.' },
  {
    name: 'server',
    on: 'tag',
    takes: { is: 'server' },
    otherwise: 'where the script is from',
    sentence: 'Address of the server, with the slash at its end.',
    more: 'For `afterword.one.js` where its address is another one',
  },
  {
    name: 'afterword',
    on: 'slot',
    takes: { is: 'choice', values: KINDS },
    otherwise: 'the element’s name',
    sentence: 'Kind of list.',
  },
  {
    name: 'slot',
    on: 'slot',
    takes: { is: 'text' },
    otherwise: 'its order on the page, from 1',
    look: true,
    sentence: 'Name of the slot, in reports of what its list brought and in experiments.',
    more: 'At most 64 characters',
  },
  {
    name: 'limit',
    takes: { is: 'whole', min: 1, max: MOST_POSTS },
    initial: `${POSTS}`,
    look: true,
    sentence: 'Posts shown.',
    more: `More are ${MOST_POSTS}`,
  },
  {
    name: 'layout',
    takes: { is: 'choice', values: LAYOUTS },
    initial: 'list',
    look: true,
    sentence: 'Each adapts to the room it has.',
  },
  {
    name: 'heading',
    takes: { is: 'text' },
    otherwise: '“Related” or “Most read”, in the language of the page (`lang`)',
    look: true,
    sentence: 'Heading.',
    more: '`heading=""` shows none',
  },
  { name: 'heading-level', takes: { is: 'whole', min: 1, max: 6 }, initial: '2', look: true, sentence: 'Its level.' },
  {
    name: 'label',
    takes: { is: 'text' },
    otherwise: 'the heading',
    look: true,
    sentence: 'Accessible name.',
    more: 'Numbered where several lists have the same',
  },
  {
    name: 'meta',
    takes: { is: 'words', values: ['section', 'author', 'date'], none: 'off' },
    initial: 'section date',
    look: true,
    sentence: 'The line under a title.',
  },
  {
    name: 'image',
    takes: { is: 'ratio', min: 0.2, max: 5 },
    otherwise: '1.8; in a plain list 1.33',
    look: true,
    sentence: 'How wide the pictures are by how high.',
    more: 'None below 0.2',
  },
  {
    name: 'columns',
    takes: { is: 'whole', min: 1, max: 12 },
    otherwise: '3 in a grid, 4 or 2 where one post would stand alone; else 2',
    look: true,
    sentence: 'Most columns of a list, grid or compact list.',
    more: 'Fewer where there is no room',
  },
  { name: 'fallback', takes: { is: 'picture' }, look: true, sentence: 'The picture for posts without one.' },
  {
    name: 'type',
    takes: { is: 'choice', values: ['posts', 'videos'] },
    initial: 'posts',
    of: 'top',
    sentence: 'What is listed.',
  },
  {
    name: 'days',
    takes: { is: 'whole', min: 1, max: 31, mostRelated: 36_500 },
    initial: '1',
    of: 'top',
    asks: 'both',
    sentence: 'Days that a most read list looks back.',
    more: 'A related list has posts published in as many days only, and is filled up from the ranking of as many, 7 without it',
  },
  {
    name: 'channel',
    takes: { is: 'choice', values: ['website', 'amp', 'fbia'] },
    otherwise: 'all',
    of: 'top',
    asks: 'both',
    sentence: 'Counts views through this channel.',
  },
  { name: 'section', takes: { is: 'text' }, asks: 'both', sentence: 'Only posts in this section.' },
  { name: 'author', takes: { is: 'text' }, asks: 'both', sentence: 'Only posts by this author.' },
  { name: 'tag', takes: { is: 'text' }, asks: 'both', sentence: 'Only posts with this tag.' },
  {
    name: 'sort',
    takes: { is: 'choice', values: ['score', '_score', 'pub_date'] },
    initial: 'score',
    of: 'related',
    asks: 'related',
    sentence: 'How well posts fit (`score`, also written `_score`), or newest first.',
  },
  {
    name: 'exclude',
    takes: { is: 'exclusions' },
    of: 'related',
    sentence: 'Leaves out posts, such as `section:Opinion|tag:sponsored`.',
  },
  {
    name: 'pub_date_start',
    takes: { is: 'moment' },
    of: 'related',
    asks: 'related',
    sentence: 'Published since then.',
  },
  { name: 'pub_date_end', takes: { is: 'moment' }, of: 'related', asks: 'related', sentence: 'Published until then.' },
  {
    name: 'respect_empty_results',
    takes: { is: 'choice', values: ['1', '0', 'true', 'false'] },
    initial: '0',
    of: 'related',
    asks: 'related',
    sentence: 'Shows nothing where nothing is related.',
  },
  {
    name: 'by',
    takes: { is: 'choice', values: ['url', 'visitor'] },
    otherwise: 'both',
    of: 'related',
    sentence: 'What a related list goes by.',
  },
  {
    name: 'repeat',
    takes: { is: 'choice', values: ['on'] },
    of: 'related',
    look: true,
    sentence: 'on: where the widget runs, a related list leaves out nothing that other lists show.',
  },
  {
    name: 'fill',
    takes: { is: 'choice', values: ['off'] },
    of: 'related',
    look: true,
    sentence: 'off: related posts only, though they are fewer. Else the posts read most, then the newest, follow.',
  },
  {
    name: 'url',
    takes: { is: 'url' },
    otherwise: 'canonical link, else the address',
    sentence: 'The page, where it cannot be read off.',
  },
  {
    name: 'image-src',
    takes: { is: 'imageService' },
    otherwise: 'thumbnails of this server',
    look: true,
    sentence: 'Address of an image service, with {url} for the picture and {width} for its width in pixels.',
    more: '`https://cdn.example/w={width}/{url}`: the picture’s own address, escaped, and 160, 320, 640 and 960, of which a browser takes the one that fits; 480 in `afterword.one.js`',
  },
  {
    name: 'itm',
    takes: { is: 'query' },
    look: true,
    sentence: 'A query merged into the links, such as itm_campaign=related.',
  },
  {
    name: 'shadow',
    takes: { is: 'choice', values: ['off'] },
    look: true,
    sentence: 'off: without a shadow root and without a style.',
  },
  {
    name: 'lazy',
    takes: { is: 'choice', values: ['off'] },
    sentence: 'off: the list is fetched at once, not when the slot comes near.',
  },
  {
    name: 'consent',
    on: 'tag',
    takes: { is: 'choice', values: ['required'] },
    sentence: 'No id and no reports before `consent(true)`.',
  },
  { name: 'visitor', on: 'tag', takes: { is: 'text' }, sentence: 'An id of your own for this reader.' },
  {
    name: 'track',
    on: 'tag',
    takes: {
      is: 'words',
      values: ['pageview', 'heartbeat', 'videostart', 'vheartbeat', 'share', 'conversion', 'list', 'custom', 'profile'],
      none: 'none',
    },
    otherwise: 'all',
    sentence: 'What is reported.',
    more: 'The profile learns with the view: without `pageview` by `train()` alone',
  },
  {
    name: 'transport',
    on: 'tag',
    takes: { is: 'choice', values: ['jsonp'] },
    otherwise: 'CORS first',
    sentence: 'How lists are fetched.',
  },
  { name: 'debug', on: 'tag', takes: { is: 'choice', values: ['1'] }, sentence: 'Says causes in the console.' },
] as const satisfies readonly Attribute[];

type Declared = (typeof ATTRIBUTES)[number];

export type AttributeName = Declared['name'];

/** The name as a key of `dataset`: `heading-level` is `headingLevel`. */
type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

export type SettingName = Camel<AttributeName>;

/** The type of the attribute in JSX: numbers may be written as numbers. */
type Written<T extends Takes> = T extends { is: 'choice'; values: readonly (infer Value)[] }
  ? Value
  : T extends { is: 'whole' | 'ratio' }
    ? number | string
    : string;

/** Attributes of a slot, with the types of their values. */
export type SlotAttributes = {
  [A in Exclude<Declared, { on: string }> as `data-${A['name']}`]?: Written<A['takes']>;
};

/** Attributes that concern the look of a list: fragments take them as parameters. */
export type LookAttribute = Extract<Declared, { look: true }>;
