// Kinds of devices: which columns of a roll-up have the sums of one kind. Its rows are of all devices.
import type { Device } from '../ingest/eventRow.ts';
import { type Measure, ROLLED_MEASURES, type RolledMeasure } from './metrics.ts';

const VIEWS = { desktop: 'desktop_views', mobile: 'mobile_views', tablet: 'tablet_views' } as const satisfies Record<
  Device,
  RolledMeasure
>;

export const DEVICES = Object.keys(VIEWS) as [Device, ...Device[]];

/**
 * Of which roll-ups have a column by device. Engaged seconds of one kind are added up from events: two columns more in
 * every roll-up would cost each event, whether such a question is ever asked or not.
 */
const OF_DEVICE: readonly Measure[] = ['views', ...Object.values(VIEWS)];

/** Whether a column of every roll-up has a measure: of all devices, or of one. */
export const isRolledFor = (measure: Measure, device: Device | undefined): measure is RolledMeasure =>
  (device === undefined ? ROLLED_MEASURES : OF_DEVICE).some((known) => known === measure);

/**
 * SQL of such a measure over a row of a roll-up. Columns have the name of their table: without it, views beside those
 * of the device would be read from what the same SELECT calls by that name, which may have its sign changed already.
 */
export function columnOf(table: string, measure: RolledMeasure, device: Device | undefined): string {
  if (device === undefined) return `${table}.${measure}`;
  // Views on other devices are none.
  return measure === 'views' || measure === VIEWS[device] ? `${table}.${VIEWS[device]}` : '0';
}
