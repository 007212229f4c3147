// Conversions by hand: every conversion looks through what its visitor viewed in the 30 days before it.
import type { EventRow } from '../../../server/ingest/eventRow.ts';
import type { Post } from '../../../server/posts/post.ts';
import type { World } from '../worlds.ts';
import { isPublished } from './conditions.ts';
import { canonicalOf } from './countNaively.ts';
import { compareBytes, decimals } from './naiveMetrics.ts';

export const ATTRIBUTIONS = ['last_touch', 'first_touch', 'linear', 'last_post_touched'] as const;

export interface NaiveConversionQuestion {
  period: { start: number; end: number };
  attribution: (typeof ATTRIBUTIONS)[number];
  /** Only these; none: all. */
  types: readonly string[];
  labels: readonly string[];
  /** Only posts, or only other pages. */
  pageType: 'post' | 'index' | undefined;
  /** Only this canonical URL. */
  url: string | undefined;
  /** Conditions on a page's metadata; `bare` says whether a page without any passes. */
  passes(post: Post): boolean;
  bare: boolean;
  /** One row a URL, or one for each URL, type and label. */
  by: 'url' | 'kind';
}

export interface NaiveConversions {
  name: string;
  kind: { conversion_type?: string; conversion_label?: string };
  kinds: { conversion_type: string; conversion_label: string; conversions: number; converting_visitors: number }[];
  hits: number;
  metrics: { conversions: number; converting_visitors: number; conversion_rate: number };
}

const LOOK_BACK = 30 * 86_400_000;

export function countConversions(world: World, question: NaiveConversionQuestion): NaiveConversions[] {
  const { period, types, labels, pageType, passes, bare, by } = question;
  const within = ({ time }: EventRow) => time >= period.start && time <= period.end;
  const views = world.events.filter(({ action }) => action === 'pageview');
  const isShown = (url: string): boolean => {
    if (world.excluded.has(url) || (question.url !== undefined && question.url !== url)) return false;
    const post = world.posts.find((known) => known.url === url);
    const isPost = post?.pageType === 'post' && (isPublished(world)(post) || passes(post));
    if (pageType !== undefined && (pageType === 'post') !== isPost) return false;
    return post && (isPublished(world)(post) || passes(post)) ? passes(post) : bare;
  };
  interface Sum {
    share: number;
    people: Set<string>;
  }
  const add = (sum: Sum, share: number, visitor: string) => {
    sum.share += share;
    if (visitor !== '0') sum.people.add(visitor);
  };
  const empty = (): Sum => ({ share: 0, people: new Set() });
  const rows = new Map<string, Sum & { name: string; kind: NaiveConversions['kind']; kinds: Map<string, Sum> }>();

  for (const event of world.events) {
    if (event.action !== 'conversion' || !within(event)) continue;
    if (types.length > 0 && !types.includes(event.conversionType)) continue;
    if (labels.length > 0 && !labels.includes(event.conversionLabel)) continue;
    const exact = { conversion_type: event.conversionType, conversion_label: event.conversionLabel };
    const kind = by === 'kind' ? exact : {};
    const credited = creditsOf(world, views, { event, attribution: question.attribution });
    for (const url of credited) {
      if (!isShown(url)) continue;
      const key = JSON.stringify([url, kind]);
      const row = rows.get(key) ?? { name: url, kind, kinds: new Map(), ...empty() };
      rows.set(key, row);
      const part = row.kinds.get(JSON.stringify(exact)) ?? empty();
      row.kinds.set(JSON.stringify(exact), part);
      for (const sum of [row, part]) add(sum, 1 / credited.length, event.visitor);
    }
  }

  return [...rows.values()]
    .map(({ name, kind, share, people, kinds }) => {
      const seen = views.filter((view) => within(view) && canonicalOf(world, view.url) === name);
      const visitors = new Set(seen.map(({ visitor }) => visitor).filter((visitor) => visitor !== '0')).size;
      const all = Math.max(visitors, people.size);
      const conversion_rate = all === 0 ? 0 : decimals(people.size / all, 4);
      const metrics = { conversions: decimals(share, 3), converting_visitors: people.size, conversion_rate };
      return { name, kind, kinds: partsOf(kinds), hits: seen.length, metrics };
    })
    .sort(
      (a, b) =>
        b.metrics.conversions - a.metrics.conversions ||
        compareBytes(a.name, b.name) ||
        compareBytes(a.kind.conversion_type ?? '', b.kind.conversion_type ?? '') ||
        compareBytes(a.kind.conversion_label ?? '', b.kind.conversion_label ?? ''),
    );
}

function partsOf(kinds: Map<string, { share: number; people: Set<string> }>): NaiveConversions['kinds'] {
  return [...kinds]
    .map(([kind, { share, people }]) => ({
      ...(JSON.parse(kind) as { conversion_type: string; conversion_label: string }),
      conversions: decimals(share, 3),
      converting_visitors: people.size,
    }))
    .sort(
      (a, b) =>
        b.conversions - a.conversions ||
        compareBytes(a.conversion_type, b.conversion_type) ||
        compareBytes(a.conversion_label, b.conversion_label),
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
