// Sizes and times of the operator's pages, in words.
import type { OperatorSite } from '../../../server/contract/operator.ts';
import { toFigure } from '../figures.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** 1,023 B; 56.7 MiB. */
export function toBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${power === 0 ? toFigure(bytes) : (bytes / 1024 ** power).toFixed(1)} ${UNITS[power]}`;
}

const SPANS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** How long ago something was, by the clock of the server. @param iso ISO 8601, as `now`. */
export function toAgo(iso: string, now: string): string {
  const seconds = Math.max(0, (Date.parse(now) - Date.parse(iso)) / 1000);
  const [unit, size] = SPANS.find(([, each]) => seconds >= each) ?? ['second', 60];
  return unit === 'second' ? 'a moment ago' : AGO.format(-Math.floor(seconds / size), unit);
}

/** The last view is known to the quarter of an hour. */
export function toLastView({ last_view }: Pick<OperatorSite, 'last_view'>, now: string): string {
  if (last_view === null) return 'none in 3 days';
  return Date.parse(now) - Date.parse(last_view) < 900_000 ? 'just now' : toAgo(last_view, now);
}

export function toIndex({ index, loaded }: Pick<OperatorSite, 'index' | 'loaded'>): string {
  if (index === 'loading') return `loading, ${Math.round((loaded ?? 0) * 100)}%`;
  return index === 'loaded' ? 'in memory' : 'on disk';
}
