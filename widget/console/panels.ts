// The tables of the page: where their records come from, and by which filter a row narrows everything.
import type { FilterName, Filters } from './choice.ts';

/** A record of any list: which fields it has depends on the list. */
export interface Listed {
  name?: string;
  /** Of posts. */
  title?: string;
  url?: string;
  author?: string;
  authors?: string[];
  section?: string;
  tags?: string[];
  pub_date?: string;
  /** Of referrers. */
  category?: string;
  metrics: Record<string, number>;
}

export interface Panel {
  name: string;
  title: string;
  /** Filter that a row sets. Absent: posts, which lead to their page. */
  filter?: FilterName;
  /** Without a filter of posts, pages that are no posts count as well. Default: false. */
  isOfPages?: boolean;
  /** Where there is nothing. Absent: posts, of which the table says itself what to do. */
  empty?: string;
}

export const PANELS: readonly Panel[] = [
  { name: 'posts', title: 'Posts' },
  { name: 'sections', title: 'Sections', filter: 'section', empty: 'No post that was read has a section.' },
  { name: 'authors', title: 'Authors', filter: 'author', empty: 'No post that was read has an author.' },
  { name: 'tags', title: 'Tags', filter: 'tag', empty: 'No post that was read has a tag.' },
  { name: 'referrers', title: 'Referrers', filter: 'referrer', isOfPages: true, empty: 'No visit in this period.' },
  { name: 'channels', title: 'Channels', filter: 'channel', isOfPages: true, empty: 'No visit in this period.' },
  {
    name: 'campaigns',
    title: 'Campaigns',
    filter: 'campaign_id',
    isOfPages: true,
    empty: 'No visit with utm_campaign in its address.',
  },
  {
    name: 'segments',
    title: 'Segments',
    filter: 'segment',
    isOfPages: true,
    empty: 'No visit with a segment in its data.',
  },
];

/** Filters that no list of the interface has as its records. */
const TITLES: Partial<Record<FilterName, string>> = { post: 'Post', device: 'Device' };

export const titleOf = (filter: FilterName): string =>
  TITLES[filter] ?? PANELS.find((panel) => panel.filter === filter)?.title.replace(/s$/, '') ?? filter;

const CHANNELS: Record<string, string> = {
  website: 'Website',
  amp: 'AMP pages',
  'apln-rta': 'Apple News',
  fbia: 'Instant Articles',
};

export const DEVICES: Record<string, string> = { desktop: 'Desktop', mobile: 'Phone', tablet: 'Tablet' };

const LABELS: Partial<Record<FilterName, Record<string, string>>> = { channel: CHANNELS, device: DEVICES };

/** A value of a filter as it is shown. */
export function labelOf(filter: FilterName | undefined, value: string): string {
  const labels = filter && LABELS[filter];
  return labels && Object.hasOwn(labels, value) ? labels[value]! : value;
}

const OF_POSTS: readonly FilterName[] = ['post', 'section', 'author', 'tag'];

/** Says which traffic a table counts where that is not the traffic of the totals above it; "" where it is. */
export const scopeNoteOf = ({ isOfPages = false }: Panel, filters: Filters): string =>
  isOfPages && OF_POSTS.every((name) => filters[name] === undefined) ? 'all pages, not posts alone' : '';
