// What becomes of the lists on the page: which items readers saw, and which they followed. What was seen is found out
// when something is sent, so that lists need neither timers nor requests of their own.
import type { ListItem, ListReport } from '../../server/contract/wire.ts';
import { host, ofDocument, report } from '../attend.ts';
import type { Card } from '../ui/records.ts';

/** How long an item is in the window before it was seen, in milliseconds. */
const SEEN_MS = 1000;

/** A list as it was drawn. Names with `_` are shortened by the build. */
export interface Drawn {
  /** What every report says of it: kind, slot, layout; experiment and variant. */
  _says: ListReport;
  _cards: Card[];
  /** Called when the first of its items comes into the window. */
  _met?: (() => void) | undefined;
}

declare global {
  interface Element {
    /** Of an item: its list and its card; no card for an element that stands for a list without any. */
    _item?: [list: Drawn, card: Card | undefined];
  }
}

/** Since when items are in the window: epoch milliseconds; in a hidden tab, a time that never comes. */
const since = new Map<Element, number>();
/** Cards that were seen and are not reported yet, by list; none of a list that was only met. */
const unreported = new Map<Drawn, Card[]>();
/** Slots and items of which something was reported in this page view. */
const reported = new Set<string>();
/** Finds the items of which half is in the window. */
let half: IntersectionObserver | undefined;

/** @param near Of an element that stands for a list without items: where it is in the window. */
export function watchItem(item: Element, list: Drawn, card?: Card, near?: IntersectionObserverInit): void {
  host._look = reportSeen;
  item._item = [list, card];
  half ||= new IntersectionObserver(look, { threshold: 0.5 });
  (card ? half : new IntersectionObserver(look, near)).observe(item);
}

function look(entries: IntersectionObserverEntry[], by: IntersectionObserver): void {
  for (const { target, isIntersecting, boundingClientRect } of entries) {
    // In the middle of the window, an item that is higher than the window fills half of it.
    if (by === half && boundingClientRect.height > innerHeight)
      new IntersectionObserver(look, { rootMargin: '-50% 0px' }).observe(target);
    else {
      const list = note(target);
      since.delete(target);
      if (isIntersecting) {
        since.set(target, now());
        list._met?.();
        list._met = undefined;
      }
    }
  }
}

const now = (): number => (ofDocument('hidden') ? Number.POSITIVE_INFINITY : Date.now());

/** Notes that an item was seen, where it was in the window for long enough. */
function note(item: Element): Drawn {
  const [list, card] = item._item!;
  if (Date.now() - since.get(item)! >= SEEN_MS && isFirst(list._says.slot + card?.link))
    unreported.set(list, (unreported.get(list) || []).concat(card || []));
  return list;
}

/** Called before anything is sent, as it is when the tab is hidden or seen again. */
function reportSeen(isNewView?: boolean): void {
  for (const [item, time] of since) {
    note(item);
    // A page may say that a tab was hidden or seen which was not: what is in the window stays there.
    if (isNewView || ofDocument('hidden') || time > Date.now()) since.set(item, now());
  }
  for (const [list, cards] of unreported) reportCards(list, cards, 'seen');
  unreported.clear();
  if (isNewView) reported.clear();
}

/** Whether this was not reported yet. */
const isFirst = (what: string): boolean => reported.size < reported.add(what).size;

/**
 * Reports what became of some cards of a list. Without cards it says that the list was shown, unless a report of this
 * page view said so before.
 */
export const reportCards = ({ _says, _cards }: Drawn, cards: Card[], what: 'seen' | 'clicked'): void => {
  const shown = isFirst(_says.slot);
  const items = cards.map(
    (card): ListItem => [_cards.indexOf(card) + 1, card.link, card.source, card.alternative || 0],
  );
  if (shown || items[0]) report('list', { lists: [{ ..._says, shown, [what]: items }] }, what === 'seen');
};
