// What the figures of lists are shown by: a table each, whose rows narrow everything by their filter.
import type { ListFilterName } from './listChoice.ts';

export interface Group {
  /** As /v2/lists names it. */
  name: string;
  title: string;
  /** What a row is, above its column and in the file. */
  row: string;
  /** Filter that a row sets. Absent: pages and posts, which lead there. */
  filter?: ListFilterName;
  /** What a row without a name is. */
  none: string;
  empty: string;
}

const NOTHING_SEEN = 'No item of a list was seen. Choose a longer period or fewer filters.';

export const GROUPS: readonly Group[] = [
  { name: 'list', title: 'Kinds of lists', row: 'Kind', filter: 'list', none: 'None', empty: NOTHING_SEEN },
  { name: 'slot', title: 'Slots', row: 'Slot', filter: 'slot', none: 'None', empty: NOTHING_SEEN },
  { name: 'position', title: 'Positions', row: 'Position', filter: 'position', none: 'None', empty: NOTHING_SEEN },
  { name: 'source', title: 'Sources', row: 'Source', filter: 'source', none: 'Not said', empty: NOTHING_SEEN },
  { name: 'layout', title: 'Layouts', row: 'Layout', filter: 'layout', none: 'None', empty: NOTHING_SEEN },
  { name: 'variant', title: 'Variants', row: 'Variant', filter: 'variant', none: 'No experiment', empty: NOTHING_SEEN },
  { name: 'page', title: 'Pages with lists', row: 'Page', none: 'Not said', empty: NOTHING_SEEN },
  { name: 'post', title: 'Posts in lists', row: 'Post', none: 'Not said', empty: NOTHING_SEEN },
];

const LABELS: Partial<Record<ListFilterName, Readonly<Record<string, string>>>> = {
  list: { related: 'Related posts', top: 'Most read' },
  source: {
    words: 'Words of the page',
    readers: 'What readers read next',
    recent: 'Recent',
    popular: 'Read most',
    editor: 'Chosen by editors',
    sponsor: 'Sponsored',
  },
};

/** A value of a filter as it is shown. */
export function labelOfList(name: ListFilterName | undefined, value: string): string {
  if (name === 'position') return `Position ${value}`;
  if (name === 'slot' && /^\d+$/.test(value)) return `Slot ${value} of the page`;
  const labels = name === undefined ? undefined : LABELS[name];
  return labels && Object.hasOwn(labels, value) ? labels[value]! : value;
}

const TITLES: Record<ListFilterName, string> = {
  list: 'Lists',
  slot: 'Slot',
  layout: 'Layout',
  position: 'Position',
  source: 'Source',
  experiment: 'Experiment',
  variant: 'Variant',
};

export const titleOfList = (name: ListFilterName): string => TITLES[name];
