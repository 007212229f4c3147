// Conversions by hand: every conversion looks through what its visitor viewed in the 30 days before it.
import type { EventRow } from '../../../server/ingest/eventRow.ts';
import type { World } from '../worlds.ts';
import { canonicalOf } from './countNaively.ts';
import { compareBytes, decimals } from './naiveMetrics.ts';

export const ATTRIBUTIONS = ['last_touch', 'first_touch', 'linear', 'last_post_touched'] as const;

export interface NaiveConversionQuestion {
  period: { start: number; end: number };
  attribution: (typeof ATTRIBUTIONS)[number];
  /** Only these; none: all. */
  types: readonly string[];
  labels: readonly string[];
  pages: readonly ('post' | 'index')[];
  /** One row a URL, or one for each URL, type and label. */
  by: 'url' | 'kind';
}

export interface NaiveConversions {
  name: string;
  kind: { conversion_type?: string; conversion_label?: string };
  hits: number;
  metrics: { conversions: number; converting_visitors: number; conversion_rate: number };
}

const LOOK_BACK = 30 * 86_400_000;

export function countConversions(world: World, question: NaiveConversionQuestion): NaiveConversions[] {
  const { period, types, labels, pages, by } = question;
  const within = ({ time }: EventRow) => time >= period.start && time <= period.end;
  const views = world.events.filter(({ action }) => action === 'pageview');
  const shown = world.posts.filter(
    ({ url, pageType }) => pages.some((type) => type === pageType) && !world.excluded.has(url),
  );
  const rows = new Map<string, { name: string; kind: NaiveConversions['kind']; share: number; people: Set<string> }>();

  for (const event of world.events) {
    if (event.action !== 'conversion' || !within(event)) continue;
    if (types.length > 0 && !types.includes(event.conversionType)) continue;
    if (labels.length > 0 && !labels.includes(event.conversionLabel)) continue;
    const kind =
      by === 'kind' ? { conversion_type: event.conversionType, conversion_label: event.conversionLabel } : {};
    const credited = creditsOf(world, views, { event, attribution: question.attribution });
    for (const url of credited) {
      if (!shown.some((post) => post.url === url)) continue;
      const key = JSON.stringify([url, kind]);
      const row = rows.get(key) ?? { name: url, kind, share: 0, people: new Set() };
      rows.set(key, row);
      row.share += 1 / credited.length;
      if (event.visitor !== '0') row.people.add(event.visitor);
    }
  }

  return [...rows.values()]
    .map(({ name, kind, share, people }) => {
      const seen = views.filter((view) => within(view) && canonicalOf(world, view.url) === name);
      const visitors = new Set(seen.map(({ visitor }) => visitor).filter((visitor) => visitor !== '0')).size;
      const conversion_rate = visitors === 0 ? 0 : decimals(people.size / visitors, 4);
      const metrics = { conversions: decimals(share, 3), converting_visitors: people.size, conversion_rate };
      return { name, kind, hits: seen.length, metrics };
    })
    .sort(
      (a, b) =>
        b.metrics.conversions - a.metrics.conversions ||
        compareBytes(a.name, b.name) ||
        compareBytes(a.kind.conversion_type ?? '', b.kind.conversion_type ?? '') ||
        compareBytes(a.kind.conversion_label ?? '', b.kind.conversion_label ?? ''),
    );
}

/** The pages that share one conversion; a page viewed twice stands there twice. */
function creditsOf(
  world: World,
  views: readonly EventRow[],
  { event, attribution }: { event: EventRow; attribution: NaiveConversionQuestion['attribution'] },
): string[] {
  const isPost = (url: string) => world.posts.some((post) => post.url === url && post.pageType === 'post');
  const touched = views
    .filter(
      ({ visitor, time }) =>
        visitor !== '0' && visitor === event.visitor && time <= event.time && time >= event.time - LOOK_BACK,
    )
    .sort((a, b) => a.time - b.time)
    .map(({ url }) => canonicalOf(world, url))
    .filter((url) => attribution !== 'last_post_touched' || isPost(url));
  if (touched.length === 0) return [canonicalOf(world, event.url)];
  if (attribution === 'linear') return touched;
  return [attribution === 'first_touch' ? touched[0]! : touched.at(-1)!];
}
