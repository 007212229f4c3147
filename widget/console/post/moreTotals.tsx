// Figures beside the totals: what was shared, who read on, what it led to.
import type { SeriesTotals } from '../../../server/contract/wire.ts';
import type { Params } from '../ask.ts';
import { toFigure, toShare } from '../figures.ts';
import { Failed } from '../states.tsx';
import { useAnswer } from '../useAnswer.ts';

interface Props {
  url: string;
  scope: Params;
  time: Params;
  /** Visits are filtered: conversions cannot be. */
  isNarrow: boolean;
}

const MORE = {
  social_interactions: 'Shares',
  recirculation_rate: 'Recirculation',
} as const;
type More = keyof typeof MORE;
const NAMES = Object.keys(MORE) as More[];

interface Conversion {
  conversion_type: string;
  conversion_label: string;
  metrics: Record<string, number>;
}

/** As many kinds of conversions as the interface lists: each label is one, such as that of a link. */
const ALL = 2000;
/** Of these kinds, those that are named. */
const NAMED = 100;

export function MoreTotals({ url, scope, time, isNarrow }: Props) {
  const asked = [
    ['interval', 'month'],
    ['metrics', [...NAMES, 'views'].join(',')],
    ['totals', '1'],
  ] as const;
  const { body, isLoading, message, retry } = useAnswer<{ totals: SeriesTotals }>('/v2/analytics/series', [
    ...asked,
    ...scope,
  ]);
  const conversions = useAnswer<{ data: Conversion[] }>('/v2/conversions/url', [
    ['url', url],
    ['limit', String(ALL)],
    ...time,
  ]);
  const kinds = conversions.body?.data ?? [];
  const sum = kinds.reduce((all, { metrics }) => all + (metrics.conversions ?? 0), 0);
  const failed = message !== '' && <Failed message={message} retry={retry} />;
  if (failed && body === undefined) return failed;
  return (
    <>
      {failed}
      <dl class="more-totals" aria-busy={isLoading || conversions.isLoading}>
        {NAMES.map((name) => (
          <div key={name}>
            <dt>{MORE[name]}</dt>
            <dd>
              <span data-total={name}>{body ? written(name, body.totals.metrics) : '…'}</span>
              {name === 'recirculation_rate' && (
                <small>
                  {body?.totals.metrics.views === 0 ? 'no view in these days' : 'views that led on to another page'}
                </small>
              )}
            </dd>
          </div>
        ))}
        <div>
          <dt>Conversions{isNarrow && ', of all visits'}</dt>
          <dd>
            <span data-total="conversions">{conversions.body ? toFigure(sum) : conversions.message || '…'}</span>
            {kinds.length > 0 && <small>{inWords(kinds)}</small>}
          </dd>
        </div>
      </dl>
    </>
  );
}

function written(name: More, { [name]: value = 0, views = 0 }: SeriesTotals['metrics']): string {
  if (name !== 'recirculation_rate') return toFigure(value);
  // Of nothing there is no share.
  return views === 0 ? '–' : toShare(value);
}

function inWords(kinds: readonly Conversion[]): string {
  const left = kinds.length - NAMED;
  return kinds.slice(0, NAMED).map(sayKind).join(', ') + (left > 0 ? `, and ${toFigure(left)} more kinds` : '');
}

const sayKind = ({ conversion_type, conversion_label, metrics }: Conversion): string =>
  `${toFigure(metrics.conversions ?? 0)} ${[conversion_type.replaceAll('_', ' '), conversion_label].filter(Boolean).join(' ')}`;
