// The template part: items as the publisher wants them. A `<template>` in the slot, with `data-field` on the elements
// that are filled; links with parameters for the publisher's own statistics; pictures from the publisher's image
// service; a list in the page itself.
import type { Settings } from '../host.ts';
import type { ofDocument } from '../unclobbered.ts';
import type { Card } from './records.ts';

/** Pixels, for image services, where one width is asked for: as wide as our own thumbnails. */
const IMAGE_WIDTH = 480;

/** Adds parameters to an address, e.g. `itm_campaign=related`. */
function markLink(link: string, parameters: string | undefined): string {
  if (!parameters || !URL.canParse?.(link)) return link;
  const url = new URL(link);
  for (const [name, value] of new URLSearchParams(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * The picture's address at an image service, e.g. of `https://cdn.example/w={width}/{url}`; "" for a service that has
 * no web address.
 */
export function serve(original: string, service: string, width: number): string {
  if (!original || !/^https?:\/\//i.test(service)) return '';
  return service.replace('{width}', `${width}`).replace('{url}', () => encodeURIComponent(original));
}

/** Links with the parameters of `itm`, pictures from the service of `imageSrc`. */
export const fitCards = (cards: Card[] | undefined, { itm, imageSrc }: Settings): Card[] | undefined =>
  cards?.map((card) => ({
    ...card,
    url: markLink(card.link, itm),
    image: imageSrc ? serve(card.original, imageSrc, IMAGE_WIDTH) : card.image,
  }));

/**
 * Fills the items of a list, one with each card. Fields: url (the link's address), image (the picture's), title,
 * section, author, date. An element whose field is unknown is hidden.
 */
export function fillItems(
  list: ParentNode,
  template: HTMLTemplateElement | null,
  cards: Card[] | undefined,
  format: (date: string) => string,
): void {
  if (!template) return;
  // The elements of the list: a template may name a part of its own so.
  const items = list.querySelectorAll('li[part=item]');
  cards?.forEach((card, index) => {
    const item = items[index]!;
    // An item that is filled already keeps the focus, and what the page has added to it.
    const copy = item.firstChild ? item : (template.content.cloneNode(true) as DocumentFragment);
    for (const element of copy.querySelectorAll<HTMLElement>('[data-field]')) {
      const field = element.dataset.field as Exclude<keyof Card, '_alternatives' | 'alternative'>;
      const value = card[field];
      element.hidden = !value;
      if (!value) continue;
      if (field === 'url') element.setAttribute('href', value);
      else if (field === 'image') element.setAttribute('src', value);
      else if (field === 'date') element.textContent = format(value);
      else element.textContent = value;
    }
    if (copy !== item) item.append(copy);
  });
}

/**
 * Where a list is drawn that styles of the page reach: a child of the slot, which is shown in the slot's shadow root.
 */
export function openLight(slot: HTMLElement, of: typeof ofDocument): HTMLElement {
  const list =
    slot.querySelector<HTMLElement>(':scope>div.afterword') ||
    slot.appendChild(of('createElement').call(document, 'div'));
  list.slot = list.className = 'afterword';
  return list;
}
