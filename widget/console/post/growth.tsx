// The views of a post since its publication, beside those of a typical post of its section or site at the same age.
import type { GrowthRecord } from '../../../server/contract/wire.ts';
import { download, toCsv } from '../csv.ts';
import { toCellTimes, toFigure, toMoment } from '../figures.ts';
import { SliderPicture } from '../sliderPicture.tsx';
import { Empty, Failed } from '../states.tsx';
import { useAnswer } from '../useAnswer.ts';
import { GrowthPicture } from './growthPicture.tsx';
import { ageOf, sentenceOf, verdictOf, viewsOf } from './growthWords.ts';

interface Props {
  url: string;
  /** Of the post; "" where it has none, and is compared with posts of any section. */
  section: string;
  hasDate: boolean;
  /** Name of its CSV. */
  file: string;
}

const HEIGHT = 240;

export function Growth({ url, section, hasDate, file }: Props) {
  const peers = section === '' ? 'this site' : 'its section';
  const { body, isLoading, message, retry } = useAnswer<{ data: GrowthRecord[] }>('/v2/analytics/post/growth', [
    ['url', url],
  ]);
  const rows = body?.data ?? [];
  const last = rows.at(-1);
  return (
    <section class="sheet growth" aria-label="Since publication" aria-busy={isLoading}>
      <figure class="curve">
        <figcaption>
          <h2>Since publication</h2>
          {last && <span class="verdict">{verdictOf(rows, peers)}</span>}
          {rows.length > 0 && (
            <>
              <span class="key now">Views so far</span>
              {last?.typical && (
                <>
                  <span class="key before">Typical post of {peers}</span>
                  <span class="key band">Middle half</span>
                </>
              )}
              <button type="button" class="plain" onClick={() => download(`${file}.csv`, toCsv(csvOf(rows)))}>
                CSV<span class="hidden"> of the growth</span>
              </button>
            </>
          )}
        </figcaption>
        {message !== '' && <Failed message={message} retry={retry} />}
        {message === '' && body !== undefined && rows.length === 0 && <Empty>{whyNone(hasDate)}</Empty>}
        {message === '' && (body === undefined || rows.length > 0) && (
          <SliderPicture
            label="Views since publication, by age"
            count={rows.length}
            say={(at) => sentenceOf(rows[at]!)}
            of={body}
          >
            {({ at, width }) =>
              body === undefined ? (
                <i class="ghost" aria-hidden="true" />
              ) : (
                <>
                  <GrowthPicture rows={rows} at={at} size={{ width, height: HEIGHT }} />
                  {at !== undefined && <Tip row={rows[at]!} share={at / Math.max(1, rows.length - 1)} />}
                </>
              )
            }
          </SliderPicture>
        )}
      </figure>
    </section>
  );
}

const whyNone = (hasDate: boolean): string =>
  hasDate
    ? 'It was published before the first view of this site was counted, or is hidden or still to be published.'
    : 'It has no date of publication. Add one to its page, or send it with its metadata.';

function Tip({ row, share }: { row: GrowthRecord; share: number }) {
  return (
    <div class={`tip ${share > 0.5 ? 'left' : 'right'}`} style={{ '--at': String(share) }} aria-hidden="true">
      <b>{viewsOf(row)}</b>
      <span>{ageOf(row)}</span>
      {row.typical && (
        <span class="soft">
          typical {toFigure(row.typical.median)}, middle half {toFigure(row.typical.low)} to{' '}
          {toFigure(row.typical.high)}
        </span>
      )}
      <span class="soft">{toMoment(row.until, 'hour')}</span>
    </div>
  );
}

function csvOf(rows: readonly GrowthRecord[]): (string | number)[][] {
  const ends = toCellTimes(
    rows.map(({ until }) => until),
    'hour',
  );
  return [
    ['Age', 'Until', 'Views', 'Typical: posts', 'Lower quarter', 'Median', 'Upper quarter'],
    ...rows.map(({ unit, age, views, typical }, at) => [
      `${age} ${unit}${age === 1 ? '' : 's'}`,
      ends[at]!,
      views,
      ...(typical ? [typical.posts, typical.low, typical.median, typical.high] : [0, '', '', '']),
    ]),
  ];
}
