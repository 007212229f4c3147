// The related posts that its page shows now, and why each of them stands there.
import type { RelatedRecord } from '../../../server/contract/wire.ts';
import { PostTitle } from '../choiceLink.tsx';
import { type Column, RowsTable } from '../rowsTable.tsx';
import { SiteDay } from '../siteDay.tsx';
import { useAnswer } from '../useAnswer.ts';
import type { OfPostProps } from './paths.tsx';

const SOURCES: Record<RelatedRecord['source'], string> = {
  words: 'Close in words',
  readers: 'Read next by others',
  recent: 'Among the newest',
  popular: 'Read most now',
  editor: 'Chosen by an editor',
  sponsor: 'Sponsored',
};

/** As many decimals in each row. */
const SCORE = new Intl.NumberFormat('en', { minimumFractionDigits: 4, maximumFractionDigits: 4 });
const DIGITS = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

const COLUMNS: readonly Column<RelatedRecord>[] = [
  {
    title: 'Post',
    cell: ({ title, url }) => title || url,
    show: ({ title, url, section, pub_date }) => (
      <>
        <PostTitle title={title} url={url} />
        <small>
          <bdi>{section}</bdi> <SiteDay of={pub_date} />
        </small>
      </>
    ),
  },
  {
    title: 'Why',
    cell: (row) => [SOURCES[row.source], termsOf(row), partsOf(row)].filter(Boolean).join('; '),
    show: (row) => (
      <>
        <b>{SOURCES[row.source]}</b>
        {termsOf(row) !== '' && (
          <>
            {' '}
            in common: <bdi>{termsOf(row)}</bdi>
          </>
        )}
        <small>{partsOf(row)}</small>
      </>
    ),
  },
  {
    title: 'Score',
    metric: 'score',
    cell: ({ explain }) => explain?.score ?? 0,
    show: ({ explain }) => SCORE.format(explain?.score ?? 0),
  },
];

const termsOf = ({ explain }: RelatedRecord): string =>
  (explain?.terms ?? [])
    .slice(0, 5)
    .map(({ term }) => term)
    .filter(Boolean)
    .join(', ');

/** A factor of 1 changes nothing. */
const partsOf = ({ explain }: RelatedRecord): string =>
  Object.entries(explain?.parts ?? {})
    .filter(([, value]) => value !== 1)
    .map(([name, value]) => `${name} ${DIGITS.format(value ?? 0)}`)
    .join(' · ');

/** What the API says where a site has no recommendations. */
const FORBIDDEN = 'Forbidden';

export function Related({ url, file }: Pick<OfPostProps, 'url' | 'file'>) {
  const answered = useAnswer<{ data: RelatedRecord[] }>('/v2/related', [
    ['url', url],
    ['explain', '1'],
    ['limit', '10'],
  ]);
  const message = answered.message === FORBIDDEN ? 'Related posts of this site are switched off.' : answered.message;
  return (
    <RowsTable
      title="Its related posts"
      name="related"
      answered={{ ...answered, message }}
      columns={COLUMNS}
      keyOf={(row) => row.url}
      empty="No other post is close to this one."
      file={file}
      hint="As its page shows them to a reader who is not known. Parts above 1 raise a post, parts below 1 lower it; those of 1 are left out."
    />
  );
}
