// The template part where it is fetched by itself: pictures from the publisher's image service come in several widths,
// too.
import type { Settings } from '../host.ts';
import type { Card } from '../ui/records.ts';
import { fitCards as fitPlainly, serve } from '../ui/template.ts';

export { fillItems, openLight } from '../ui/template.ts';

/** Pixels: as wide as our own thumbnails. */
const WIDTHS = [160, 320, 640, 960];

/**
 * As the other, and with `srcset` where the service knows widths. A comma that no space follows is part of an address.
 */
export const fitCards = (cards: Card[] | undefined, settings: Settings): Card[] | undefined =>
  fitPlainly(cards, settings)?.map((card) => ({
    ...card,
    srcset:
      card.image && settings.imageSrc?.includes('{width}')
        ? WIDTHS.map((width) => `${serve(card.original, settings.imageSrc!, width)} ${width}w`).join()
        : undefined,
  }));
