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
  const { shadowRoot } = slot;
  // Of a list without a style, too, for which the root has a place alone.
  const drawn = [...slot.querySelectorAll('li'), ...(shadowRoot ? shadowRoot.querySelectorAll('li') : [])];
  return cards.map((card) => pick(card, reader, read, drawn));
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
  const there = alternatives.find(({ title, image }) =>
    drawn.some((item) => {
      const anchor = item.querySelector<HTMLAnchorElement>('[part=link]');
      const shown = item.querySelector('img')?.getAttribute('src');
      return (
        anchor?.href.startsWith(link) &&
        anchor.textContent === title &&
        // None may be shown, or a fallback, or one of an image service: but not that of another alternative.
        (shown === image || !alternatives.some((other) => other.image === shown))
      );
    }),
  );
  const { share: _, ...chosen } = there || assignVariant(link, reader, alternatives) || { share: 0 };
  return { ...card, ...chosen };
}

export { assign as run };
