// What happened beside a curve: how each kind is called, and the interval of the curve that it belongs to.
import type { AnnotationRecord } from '../../server/contract/annotations.ts';

const NAMES: Readonly<Record<string, string>> = {
  published: 'Published',
  updated: 'Updated',
  headline: 'Headline test',
  experiment: 'Experiment',
};

/** A word of the site's own, which may be that of a field of every object, is written as it is, with a capital. */
export const nameOf = (kind: string): string =>
  (Object.hasOwn(NAMES, kind) && NAMES[kind]) || kind.slice(0, 1).toUpperCase() + kind.slice(1);

/** Longest interval of each kind: clocks are set back. */
const LENGTH_MS = { hour: 3_600_000, day: 25 * 3_600_000 } as const;

/** Annotations by the index of their interval, in its order; those outside of the curve are left out. */
export function placed(
  annotations: readonly AnnotationRecord[],
  points: readonly { start: string }[],
  interval: keyof typeof LENGTH_MS,
): Map<number, AnnotationRecord[]> {
  const starts = points.map(({ start }) => Date.parse(start));
  const end = (starts.at(-1) ?? 0) + LENGTH_MS[interval];
  const found = new Map<number, AnnotationRecord[]>();
  for (const annotation of [...annotations].reverse()) {
    const at = Date.parse(annotation.time);
    const index = at < end ? starts.findLastIndex((start) => start <= at) : -1;
    if (index >= 0) found.set(index, [...(found.get(index) ?? []), annotation]);
  }
  return found;
}
