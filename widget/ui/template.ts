// The template part: items as the publisher wants them. A `<template>` in the slot, with `data-field` on the elements that are filled;
// links with parameters for the publisher's own statistics.
import type { Card } from './records.ts';

/** Adds parameters to the links, e.g. `itm_campaign=related`. */
export function markLinks(cards: Card[] | undefined, parameters = ''): Card[] | undefined {
  return cards?.map((card) => {
    if (!parameters || !URL.canParse?.(card.link)) return card;
    const url = new URL(card.link);
    for (const [name, value] of new URLSearchParams(parameters)) url.searchParams.set(name, value);
    return { ...card, url: url.href };
  });
}

/**
 * Fills the items of a list, one with each card.
 * Fields: url (the link's address), image (the picture's), title, section, author, date. An element whose field is unknown is hidden.
 */
export function fillItems(
  list: ParentNode,
  template: HTMLTemplateElement | null,
  cards: Card[] | undefined,
  format: (date: string) => string,
): void {
  if (!template) return;
  cards?.forEach((card, index) => {
    const copy = template.content.cloneNode(true) as DocumentFragment;
    for (const element of copy.querySelectorAll<HTMLElement>('[data-field]')) {
      const field = element.dataset.field as keyof Card;
      const value = card[field];
      if (!value) element.hidden = true;
      else if (field === 'url') element.setAttribute('href', value);
      else if (field === 'image') element.setAttribute('src', value);
      else if (field === 'date') element.textContent = format(value);
      else element.textContent = value;
    }
    list.querySelectorAll('[part=item]')[index]!.replaceChildren(copy);
  });
}
