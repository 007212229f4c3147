// Which posts a list shows. A ranking is shown as it is; a related list is fitted, where there are other lists or too
// few posts.
import { ask, host, visitor, within } from '../attend.ts';
import type { Settings } from '../host.ts';
import { extra } from './extras.ts';
import { type Card, readCards } from './records.ts';

/** A server that says nothing for so long has no list: a reader is not to look at empty frames for minutes. */
const PATIENCE_MS = 10_000;

/** Set by the build: false in the file that fetches no extras, where nothing is left of them. */
declare const EXTRAS: boolean;

/** Undefined when nothing comes in time. Never rejects. */
export const answerOf = (asked: Promise<unknown>): Promise<unknown> => within(PATIENCE_MS, asked.catch(host._report));

/**
 * @param here Addresses of the page itself.
 * @param found The posts of the slot's own answer; undefined where that is none.
 */
export async function choose(
  slot: HTMLElement,
  { afterword, limit }: Settings,
  here: string[],
  found: Promise<Card[] | undefined>,
): Promise<Card[] | undefined> {
  const isTop = afterword === 'top';
  const slots = EXTRAS ? [...host._slots()] : [];
  const find = async (wanted: Settings) => readCards(await answerOf(ask(wanted)));
  const cards =
    (EXTRAS &&
      !isTop &&
      (slots[1] || !(await found)?.[+limit!]) &&
      (await extra('fit', slot, slots, here, found, find))) ||
    (await found)?.filter(({ link }) => isTop || !here.includes(link)).slice(0, +limit!);
  return (
    (EXTRAS &&
      cards?.some(({ _alternatives }) => _alternatives) &&
      (await extra('alternatives', slot, cards, visitor(), readCards))) ||
    cards
  );
}
