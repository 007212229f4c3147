// The publisher's own item: a `<template>` in the slot, with `data-field` on the elements that are filled.
import type { Card } from './records.ts';

/**
 * Fills the items of a list, one with each card.
 * Fields: url (the link's address), image (the picture's), title, section, author, date. An element whose field is unknown is hidden.
 */
export function fillItems(list: ParentNode, template: HTMLTemplateElement, cards: Card[]): void {
  cards.forEach((card, index) => {
    const copy = template.content.cloneNode(true) as DocumentFragment;
    for (const element of copy.querySelectorAll<HTMLElement>('[data-field]')) {
      const field = element.dataset.field as keyof Card;
      const value = card[field];
      if (!value) element.hidden = true;
      else if (field === 'url') element.setAttribute('href', value);
      else if (field === 'image') element.setAttribute('src', value);
      else element.textContent = value;
    }
    list.querySelectorAll('[part=item]')[index]!.replaceChildren(copy);
  });
}
