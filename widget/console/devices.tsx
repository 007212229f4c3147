// Views by the kind of device. They are sums of the posts, no filter: what else is asked of one kind is not kept.
import type { Params } from './ask.ts';
import { toFigure, toRate } from './figures.ts';
import { RowsTable } from './rowsTable.tsx';
import { useAnswer } from './useAnswer.ts';

interface Device {
  name: string;
  metric: string;
  views: number;
  /** Of the views of all. */
  share: number;
}

const DEVICES = { desktop_views: 'Desktop', mobile_views: 'Phone', tablet_views: 'Tablet' };
const METRICS = Object.keys(DEVICES).join(',');

/** @param file Name of its CSV. */
export function Devices({ scope, file }: { scope: Params; file: string }) {
  const asked: Params = [['interval', 'month'], ['metrics', METRICS], ['totals', '1'], ...scope];
  const { body, ...state } = useAnswer<{ totals: { metrics: Record<string, number> } }>('/v2/analytics/series', asked);
  const answered = { ...state, body: body && { data: devicesOf(body.totals.metrics) } };
  return (
    <RowsTable<Device>
      title="Devices"
      name="devices"
      answered={answered}
      columns={[
        { title: 'Device', cell: ({ name }) => name },
        { title: 'Views', metric: 'views', cell: ({ views }) => views, show: ({ views }) => toFigure(views) },
        { title: 'Share', metric: 'share', cell: ({ share }) => share, show: ({ share }) => toRate(share) },
      ]}
      keyOf={({ metric }) => metric}
      empty="No post was read in this period."
      file={file}
    />
  );
}

/** Those with views, most viewed first. */
function devicesOf(totals: Readonly<Record<string, number>>): Device[] {
  const counted = Object.entries(DEVICES).map(([metric, name]) => ({ metric, name, views: totals[metric] ?? 0 }));
  const all = counted.reduce((sum, { views }) => sum + views, 0);
  return counted
    .filter(({ views }) => views > 0)
    .sort((a, b) => b.views - a.views)
    .map((one) => ({ ...one, share: one.views / all }));
}
