// The figures that are shown first in docs/figures.md: each is read from the kept table of a bench.
import type { KeptTable } from './keptTable.ts';

export interface Headline {
  /** The bench that measures it. */
  bench: string;
  what: string;
  /** Size of the data set that `what` names, as the title of the table has it. Default: of any size. */
  size?: string;
  ours(table: KeptTable): string;
  /** A peer or a floor, measured in the same run. Default: there is none. */
  beside?(table: KeptTable): string;
}

const questions = (period: string): Headline => ({
  bench: 'traffic',
  what: `Top posts with views and visitors over ${period === '1' ? 'one day' : `${period} days`}, 50 million events`,
  size: '50 million events',
  ours: ({ cell }) => `${cell(`top posts, views and visitors, ${period} d`, 'ours')} ms`,
  beside: ({ cell }) =>
    `${cell(`top posts, views and visitors, ${period} d`, 'plain query')} ms: one plain query over the events`,
});

/** Of the bench `experiments`. */
const DIFFERENCE = 'A/B, click rate 3 % and 3.56 %';

export const HEADLINES: readonly Headline[] = [
  {
    bench: 'widget',
    what: 'A page with a list of ten: processor time and bytes more than the blank page, 4× slower processor',
    ours: ({ cell }) => {
      const row = 'with our list: more';
      return `${cell(row, 'processor time')}, ${cell(row, 'bytes')} bytes with the list and the reports`;
    },
    beside: ({ cell }) => {
      const row = 'with the same list by React';
      return `${cell(row, 'processor time')}, ${cell(row, 'bytes')} bytes: the same list drawn by React`;
    },
  },
  {
    bench: 'top',
    what: '`/top/posts` of a site with one million views, made for the first time',
    size: '1,000,000 page views',
    ours: ({ cell }) => `${cell('first time, days=1', 'median')} (median)`,
  },
  {
    bench: 'top',
    what: 'The same from memory',
    ours: ({ cell }) => `${cell('from memory', 'median')} requests/s`,
    beside: ({ cell }) => `${cell('bare node:http', 'median')}: bare \`node:http\` sending the same bytes`,
  },
  {
    bench: 'ingest',
    what: 'Events taken, synced to the disk, in batches of ten over 1,000 connections',
    ours: ({ cell }) => `${cell('10 |', 'ours')} events/s, p99 ${cell('10 |', 'p99')}`,
    beside: ({ cell }) =>
      `${cell('10 |', 'bare node:http')}: bare \`node:http\` parsing the same and storing nothing; ` +
      `${cell('10, read and classified, not stored', 'ours')}: ours without storing`,
  },
  {
    bench: 'ingest-memory',
    what: 'The same for five minutes',
    ours: ({ note }) => {
      const [taken] = note(/([\d,]+) a second, and counted/);
      const [written, after] = note(/([\d,]+) a second went into the tables meanwhile; the last was there ([\d.]+ s)/);
      return `${taken} events/s taken, ${written} into the tables meanwhile, the last ${after} after the end`;
    },
  },
  {
    bench: 'overload',
    what: 'Three times the events that it can store, for a minute',
    ours: ({ cell }) =>
      `\`/top\` ${cell('/top, p50 / p99', 'measured').split(';')[0]}, ` +
      `\`/related\` ${cell('/related, p50 / p99', 'measured').split(';')[0]} (p50 / p99 / longest); ` +
      `views acknowledged / counted: ${cell('page views acknowledged', 'measured')}`,
  },
  {
    bench: 'restarts',
    what: 'Two copies restarted one after the other, under traffic through nginx',
    ours: ({ cell }) => {
      const [all, failed] = cell('requests, of these failed', 'measured').split(/,(?!\d)/);
      return `${all} requests, ${failed!.trim()} failed`;
    },
  },
  {
    bench: 'faults',
    what: 'Random campaigns of faults: kills, full disks, damaged bytes, engine outages and more',
    ours: ({ notes }) => notes.split('\n', 1)[0]!.replace(/\.$/, ''),
  },
  questions('1'),
  questions('90'),
  {
    bench: 'traffic',
    what: 'Authors over 90 days, 50 million events',
    size: '50 million events',
    ours: ({ cell }) => `${cell('authors, 90 d', 'ours')} ms`,
    beside: ({ cell }) => `${cell('authors, 90 d', 'plain query')} ms: one plain query over the events`,
  },
  {
    bench: 'traffic',
    what: 'Pages with their metrics over 30 days, one million events',
    ours: ({ cell }) => `${cell('pages with their metrics, 30 d', 'ours')} ms`,
    beside: ({ cell }) => `${cell('pages with their metrics, 30 d', 'plain query')} ms: Umami’s tables on PostgreSQL`,
  },
  {
    bench: 'traffic',
    what: 'Disk for an event, with all roll-ups',
    ours: ({ note }) => `${note(/([\d.]+) bytes an event on disk/)[0]} bytes`,
  },
  {
    bench: 'relatedSpeed',
    what: '`/related` of a site with 100,000 posts, a post for the first time; again',
    size: '100,000 posts',
    ours: ({ cell }) => {
      const times = (row: string): string => `${cell(row, 'p50')} / ${cell(row, 'p99')} ms`;
      return `${times('/related?url over HTTP')}; ${times('the same, posts asked about again')} (p50 / p99)`;
    },
  },
  {
    bench: 'relatedSpeed',
    what: 'Loading that site at a start: from its snapshot; from the texts',
    ours: ({ cell }) => `${cell('loading with the kept index', 'p50')} s; ${cell('loading from the texts', 'p50')} s`,
  },
  {
    bench: 'search',
    what: '`/search` of 100,000 posts, one word; a phrase of two',
    size: '100,000 posts',
    ours: ({ cell }) => {
      const times = (row: string): string => `${cell(row, 'p50')} / ${cell(row, 'p99')} ms`;
      return `${times('one word')}; ${times('a phrase of two words')} (p50 / p99)`;
    },
    beside: ({ cell }) =>
      `${cell('one word', 'ClickHouse, p50')}; ${cell('a phrase of two words', 'ClickHouse, p50')} ms (p50): ClickHouse reading every text`,
  },
  {
    bench: 'related',
    what: 'Related posts, nDCG@10 on articles of 18F / Digital.gov that editors linked',
    ours: ({ cell }) => byArticleSet(cell, 'afterword'),
    beside: ({ cell }) =>
      `${byArticleSet(cell, 'TF-IDF cosine')}: TF-IDF; ${byArticleSet(cell, 'BM25, 100 terms')}: BM25`,
  },
  {
    bench: 'behaviour',
    what: 'What readers read next, MRR@20, readers of the demo',
    ours: ({ cell }) => cell('afterword, readers alone', 'MRR@20'),
    beside: ({ cell }) =>
      `${cell('sequential rules', 'MRR@20')}: sequential rules; ${cell('popular, 24 h', 'MRR@20')}: popularity; ` +
      `${cell('content of the post alone', 'MRR@20')}: content alone`,
  },
  {
    bench: 'soak',
    what: 'Resident memory under steady traffic: at first, at the end',
    ours: ({ column }) => {
      const [minutes, memory] = [column('minute'), column('resident')];
      return `${memory[0]} after ${minutes[0]} min, ${memory.at(-1)} after ${minutes.at(-1)} min`;
    },
  },
  {
    bench: 'connections',
    what: 'Memory under 1,000 hostile connections, beside the idle server: each kind, all mixed',
    ours: ({ column }) => `${column('ratio').join('; ')} times`,
  },
  {
    bench: 'moves',
    what: 'Moving all events while it serves: folder to server, to two shards, to three',
    ours: ({ title, column, note }) =>
      `${title.split(' ')[0]} events: ${column('minutes').join('; ')} minutes; of those that came meanwhile ${note(/(each is stored once)/)[0]}`,
  },
  {
    bench: 'sites',
    what: 'One server for 1,000 sites of 500 posts: memory when idle; after sites were asked for that were on the disk',
    ours: ({ cell }) =>
      `${cell('1000 sites, embedded', 'idle memory, threads, sites in memory').split(',')[0]}; ` +
      `${cell('1000 sites, embedded', 'memory after')}, ${cell('1000 sites, embedded', 'processor while idle')} while idle`,
  },
  {
    bench: 'experiments',
    what: 'Experiments that are looked at after every 100 readers: false decisions between equal variants; a difference of click rates found',
    ours: ({ cell }) => `${cell('A/A, click rate |', 'ours, at each look')}; ${cell(DIFFERENCE, 'ours, at each look')}`,
    beside: ({ cell }) =>
      `${cell('A/A, click rate |', 'fixed-size test, at each look')}; ${cell(DIFFERENCE, 'fixed-size test, at the end')}: a fixed-size test, looked at as often; once, at the end`,
  },
];

function byArticleSet(cell: KeptTable['cell'], ranking: string): string {
  const [first, second] = ['18f', 'digitalgov'].map((set) => cell(ranking, set).split(' ', 1)[0]!);
  return `${first} / ${second}`;
}
