// The alternatives part: which title and picture of a post a reader is shown, where several are compared. It imports no
// code of the other parts.
import { assignVariant } from '../../server/contract/assignment.ts';
import type { AlternativeRecord } from '../../server/contract/wire.ts';
import type { Card } from '../ui/records.ts';

/** Reads records with suspicion: `readCards`. */
type Read = (body: unknown) => Card[] | undefined;

/** Of readers without an id: one page view, in which all lists show the same. */
const VIEW = `${Math.random()}`;

/** Posts with the title and picture of the reader, before anything is drawn. What a list shows already stays. */
async function assign(slot: HTMLElement, cards: Card[], visitor: Promise<string | undefined>, read: Read) {
  const reader = (await visitor) || VIEW;
  return cards.map((card) => pick(card, reader, read, [...(slot.shadowRoot || slot).querySelectorAll('li')]));
}

/** @param drawn Items that are there: what the server drew, or what this reader was shown before. */
export function pick(card: Card, reader: string, read: Read, drawn: HTMLElement[] = []): Card {
  const { link } = card;
  const records = card._alternatives as AlternativeRecord[] | undefined;
  // What is read has an address: that of the post.
  const all = read({ data: records?.map?.((record) => ({ ...record, url: link })) });
  if (!all || all.length < records!.length) return card;
  const alternatives = all.map(({ title, image, original }, index) => ({
    ...{ title, image, original, alternative: index + 1 },
    share: +records![index]!.share || 0,
  }));
  const there = alternatives.find((one) => drawn.some((item) => isIn(item, link, one)));
  const { share: _, ...chosen } = there || assignVariant(link, reader, alternatives) || { share: 0 };
  return { ...card, ...chosen };
}

/** A picture need not be shown. */
function isIn(item: HTMLElement, link: string, { title, image }: Pick<Card, 'title' | 'image'>): unknown {
  const anchor = item.querySelector<HTMLAnchorElement>('[part=link]');
  return (
    anchor?.href.startsWith(link) &&
    anchor.textContent === title &&
    [undefined, image].includes(item.querySelector('img')?.getAttribute('src') as string | undefined)
  );
}

export { assign as run };
