// Views by the kind of device. The sums of all kinds are in one answer, so that each has its share.
import type { Params } from './ask.ts';
import { toFigure, toRate } from './figures.ts';
import { FilterButton, type Filtering } from './filterButton.tsx';
import { DEVICES, labelOf } from './panels.ts';
import { RowsTable } from './rowsTable.tsx';
import { useAnswer } from './useAnswer.ts';

interface Device {
  /** Value of the filter. */
  device: string;
  views: number;
  /** Of the views of all. */
  share: number;
}

const KINDS = Object.keys(DEVICES);
const METRICS = KINDS.map((device) => `${device}_views`).join(',');

interface Props extends Filtering {
  scope: Params;
  /** Name of its CSV. */
  file: string;
}

export function Devices({ scope, filters, onFilter, file }: Props) {
  const asked: Params = [['interval', 'month'], ['metrics', METRICS], ['totals', '1'], ...scope];
  const { body, ...state } = useAnswer<{ totals: { metrics: Record<string, number> } }>('/v2/analytics/series', asked);
  const answered = { ...state, body: body && { data: devicesOf(body.totals.metrics) } };
  const name = ({ device }: Device) => labelOf('device', device);
  return (
    <RowsTable<Device>
      title="Devices"
      name="devices"
      answered={answered}
      columns={[
        {
          title: 'Device',
          cell: name,
          show: (row) => (
            <FilterButton filter="device" value={row.device} filters={filters} onFilter={onFilter}>
              <bdi>{name(row)}</bdi>
            </FilterButton>
          ),
        },
        { title: 'Views', metric: 'views', cell: ({ views }) => views, show: ({ views }) => toFigure(views) },
        { title: 'Share', metric: 'share', cell: ({ share }) => share, show: ({ share }) => toRate(share) },
      ]}
      keyOf={({ device }) => device}
      empty="No post was read in this period."
      file={file}
    />
  );
}

/** Those with views, most viewed first. */
function devicesOf(totals: Readonly<Record<string, number>>): Device[] {
  const counted = KINDS.map((device) => ({ device, views: totals[`${device}_views`] ?? 0 }));
  const all = counted.reduce((sum, { views }) => sum + views, 0);
  return counted
    .filter(({ views }) => views > 0)
    .sort((a, b) => b.views - a.views)
    .map((one) => ({ ...one, share: one.views / all }));
}
