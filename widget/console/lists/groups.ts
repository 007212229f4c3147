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
}

export const GROUPS: readonly Group[] = [
  { name: 'list', title: 'Kinds of lists', row: 'Kind', filter: 'list', none: 'None' },
  { name: 'slot', title: 'Slots', row: 'Slot', filter: 'slot', none: 'None' },
  { name: 'position', title: 'Positions', row: 'Position', filter: 'position', none: 'None' },
  { name: 'source', title: 'Sources', row: 'Source', filter: 'source', none: 'Not said' },
  { name: 'layout', title: 'Layouts', row: 'Layout', filter: 'layout', none: 'None' },
  { name: 'variant', title: 'Variants', row: 'Variant', filter: 'variant', none: 'No experiment' },
  { name: 'page', title: 'Pages with lists', row: 'Page', none: 'Not said' },
  { name: 'post', title: 'Posts in lists', row: 'Post', none: 'Not said' },
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
