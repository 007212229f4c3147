// What readers of an article do with the two lists below it: who reads to the end sees them, and a next page that one of
// them shows was opened from there.
import { assignVariant } from '../../server/contract/assignment.ts';
import type { Experiment } from '../../server/experiments/experiment.ts';
import type { EventRow, ListRow } from '../../server/ingest/eventRow.ts';
import { type Article, PAPER_ZONE } from '../edition.ts';
import { dayOf } from './calendar.ts';
import { seeded } from './random.ts';
import type { View, World } from './sessions.ts';

/** Seconds of reading after which half of the readers have come to the end. */
const HALF_SECONDS = 60;
/** Of those at the end, how many look at the ranking beside the related posts. */
const LOOKS_ASIDE = 0.6;
/** How long before the next page a link to it was clicked, in milliseconds. */
const CLICK_MS = 500;

/** Of the next articles that the list below the text shows, how many are opened from there. */
const BY_LIST = 0.93;
/** The variant in which all of them are. */
const BETTER = 'subject';

/** Of the pages in the experiment: how many measure layout shift (not all browsers do), and of those how many shifted. */
const MEASURES = 0.8;
const SHIFTED = 0.03;
const SHIFT = 0.02;

/** A list of the article's page, as its slot says it. */
type Kind = Omit<ListRow, 'items' | 'shown'> & { source: 'words' | 'popular' };

const NO_EXPERIMENT = { experiment: '', variant: '' };
const RELATED: Kind = { ...NO_EXPERIMENT, list: 'related', slot: 'read-next', layout: 'grid', source: 'words' };
const TOP: Kind = { ...NO_EXPERIMENT, list: 'top', slot: 'most-read', layout: 'compact', source: 'popular' };

export interface ListView {
  view: View;
  /** What the reader opened next. */
  next: View | undefined;
  /** The event of the view. */
  row: EventRow;
  /** URL of an article. */
  urlOf(article: Article): string;
  /** Of the list below the text. Absent: none. */
  experiment: Experiment | undefined;
}

/** Events about the lists of an article's page: what was seen when it is left, and the click that opened the next. */
export function listEvents(
  world: Pick<World, 'listsOf'>,
  { view, next, row, urlOf, experiment }: ListView,
): EventRow[] {
  if (!view.article) return [];
  const random = seeded('lists', row.visitor, view.time);
  const left = next?.time ?? view.time + Math.max(1, view.seconds) * 1000 + CLICK_MS;
  const { related, top } = world.listsOf(view.article, left);
  const opened = [related, top].map((list) => (next?.article ? list.indexOf(next.article) : -1));
  const variant = variantOf(experiment, row.visitor, left);
  // Others open the same article from elsewhere: the front page, a section.
  if (variant.variant !== BETTER && random() >= BY_LIST) opened[0] = -1;
  const followed = opened.findIndex((index) => index >= 0);
  const atEnd = followed >= 0 || random() > 0.5 ** (view.seconds / HALF_SECONDS);
  const looksAside = followed === 1 || random() < LOOKS_ASIDE;
  const seen = [
    atEnd ? toRow({ ...RELATED, ...variant, ...measure(variant, row) }, related, urlOf) : [],
    atEnd && looksAside ? toRow(TOP, top, urlOf) : [],
  ].flat();
  if (seen.length === 0) return [];
  const at = (time: number, lists: ListRow[]): EventRow => ({
    ...row,
    action: 'list',
    time,
    day: dayOf(time, PAPER_ZONE),
    lists,
  });
  const events = [at(left - CLICK_MS, seen)];
  if (followed < 0) return events;
  const list = seen.find(({ slot }) => slot === [RELATED, TOP][followed]!.slot)!;
  const item = { ...list.items[opened[followed]!]!, seen: false, clicks: 1 };
  return [...events, at(left - CLICK_MS + 1, [{ ...list, shown: false, items: [item] }])];
}

/** In which variant a reader sees the list below the text. */
function variantOf(
  experiment: Experiment | undefined,
  visitor: string,
  time: number,
): Pick<ListRow, 'experiment' | 'variant'> {
  const { name, variants = [], startedAt = Number.POSITIVE_INFINITY, stoppedAt } = experiment ?? {};
  if (name === undefined || time < startedAt || time >= (stoppedAt ?? Number.POSITIVE_INFINITY)) return NO_EXPERIMENT;
  return { experiment: name, variant: assignVariant(name, visitor, variants)?.name ?? '' };
}

/** What the page measures for the guardrails of an experiment: the paper's lists keep their place, and do not fail. */
function measure(
  { variant }: Pick<ListRow, 'variant'>,
  { visitor, time }: EventRow,
): Pick<ListRow, 'shift' | 'errors'> {
  if (variant === '') return {};
  const random = seeded('measured', visitor, time);
  if (random() >= MEASURES) return { errors: 0 };
  return { shift: random() < SHIFTED ? SHIFT : 0, errors: 0 };
}

function toRow({ source, ...list }: Kind, articles: readonly Article[], urlOf: ListView['urlOf']): ListRow[] {
  const items = articles.map((article, index) => ({
    position: index + 1,
    post: urlOf(article),
    source,
    seen: true,
    clicks: 0,
    alternative: 0,
  }));
  return items.length > 0 ? [{ ...list, shown: true, items }] : [];
}
