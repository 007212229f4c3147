// The fit part: fits a related list to the lists around it, and fills it up where too few posts are left. It imports no
// code.
import type { Settings } from '../host.ts';
import type { Card } from '../ui/records.ts';

type Found = Promise<Card[] | undefined>;

/** Asks for a list; equal questions are one request. Undefined when no answer comes in time. Never rejects. */
type Find = (settings: Settings) => Found;

/** Ranks of posts: those that only another list shows come last. */
const FRESH = 0;
const READ = 1;
const TAKEN = 2;

const isTop = ({ afterword }: Settings): boolean => afterword === 'top';

/**
 * The posts of a related list: not those that rankings show, nor those of related lists before it, whichever is
 * answered first. Lists that were not asked for yet are, though their slots are far from the window. Where too few
 * posts are left it is filled up: by what is related for any reader, by what is read most, by what is new. What the
 * reader has read comes after the rest, what another list shows comes last.
 * @param slots Those of the page, in the order of the document.
 * @param here Addresses of the page itself.
 * @param found The posts of the slot's own answer; undefined where that is none.
 */
async function fitList(slot: HTMLElement, slots: HTMLElement[], here: string[], found: Found, find: Find): Found {
  const taken = new Set<string>();
  const first = slots.find(({ afterword }) => afterword && !isTop(afterword));
  const lists = slots
    .filter(
      (other, index) =>
        slot.afterword!.repeat !== 'on' &&
        other.afterword &&
        // One that the page does not display shows nothing.
        other.getClientRects()[0] &&
        (isTop(other.afterword) || index < slots.indexOf(slot)),
    )
    .map((other) => ({ other, settings: other.afterword!, found: find(other.afterword!) }))
    .sort((a, b) => +isTop(b.settings) - +isTop(a.settings));
  // One after the other: what a list is filled up with depends on what those before it show.
  for (const { other, settings, found: own } of lists) {
    const cards = await (isTop(settings) ? own : fill(settings, await own, here, taken, first === other, find));
    for (const { link } of (cards || []).slice(0, +settings.limit!)) taken.add(link);
  }
  return fill(slot.afterword!, await found, here, taken, slot === first, find);
}

/**
 * @param own The posts of the list's own answer; undefined where that is none.
 * @param shown Addresses of posts that other lists show.
 * @param isFirst In the first related list of the page a pin of editors holds its position, whatever rankings show.
 */
async function fill(
  settings: Settings,
  own: Card[] | undefined,
  here: string[],
  shown: Set<string>,
  isFirst: boolean,
  find: Find,
): Found {
  if (!own) return;
  const taken = settings.repeat === 'on' ? new Set() : shown;
  const ranks: Map<string, Card>[] = [new Map(), new Map(), new Map()];
  const isHeld = (card: Card): boolean => isFirst && card.source === 'editor';
  const add = (cards: Card[], rank: number): void => {
    for (const card of cards) {
      const { link } = card;
      if (!here.includes(link) && !ranks.some((posts) => posts.has(link)))
        ranks[taken.has(link) && !isHeld(card) ? TAKEN : rank]!.set(link, card);
    }
  };
  add(own, FRESH);
  const isStrict = settings.fill === 'off' || /1|true/.test(settings.respect_empty_results!);
  // Related, and not in the answer for the reader: read already.
  let rank = READ;
  for (const circle of isStrict ? [] : circlesOf(settings)) {
    if (ranks[FRESH]!.size >= +settings.limit!) break;
    add((await find({ ...settings, ...circle })) || [], rank);
    rank = FRESH;
  }
  const list = (isStrict ? ranks.slice(0, READ) : ranks).flatMap((posts) => [...posts.values()]);
  own.forEach((card, place) => {
    if (isHeld(card) && list.includes(card)) list.splice(place, 0, ...list.splice(list.indexOf(card), 1));
  });
  return list.slice(0, +settings.limit!);
}

/** Wider and wider. Rankings know nothing of dates, nor of what is to be left out. */
function circlesOf({ exclude, pub_date_start, pub_date_end, days = '7' }: Settings): Settings[] {
  return [
    { by: 'url' },
    ...(exclude || pub_date_start || pub_date_end ? [] : [{ afterword: 'top', type: '', limit: '25', days }]),
    { by: 'url', url: '' },
  ];
}

export { fitList as run };
