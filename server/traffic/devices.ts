// Kinds of devices: which columns of a roll-up have the sums of one kind. Its rows are of all devices.
import type { Device } from '../ingest/eventRow.ts';
import { type Measure, ROLLED_MEASURES, type RolledMeasure } from './metrics.ts';

/** Engaged seconds on desktops are those of the two others less. */
const ENGAGED = {
  desktop: 'engaged_seconds - mobile_engaged_seconds - tablet_engaged_seconds',
  mobile: 'mobile_engaged_seconds',
  tablet: 'tablet_engaged_seconds',
} as const satisfies Record<Device, string>;

export const DEVICES = Object.keys(ENGAGED) as [Device, ...Device[]];

/** Of which roll-ups have a column by device. */
const OF_DEVICE: readonly Measure[] = ['views', 'desktop_views', 'mobile_views', 'tablet_views', 'engaged_seconds'];

/** Whether a column of every roll-up has a measure: of all devices, or of one. */
export const isRolledFor = (measure: Measure, device: Device | undefined): measure is RolledMeasure =>
  (device === undefined ? ROLLED_MEASURES : OF_DEVICE).some((known) => known === measure);

/** SQL of such a measure over a row of a roll-up. */
export function columnOf(measure: RolledMeasure, device: Device | undefined): string {
  if (device === undefined) return measure;
  if (measure === 'engaged_seconds') return ENGAGED[device];
  // Views on other devices are none.
  return measure === 'views' || measure === `${device}_views` ? `${device}_views` : '0';
}
