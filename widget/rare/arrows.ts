// What shows that a row continues: faded edges, and arrows for pointers. Keyboards and screen readers move it by its
// links.

import css from './arrows.css?inline';

/** Adds arrows to the list in a root, again whenever it is drawn anew. */
function addArrows(root: ShadowRoot): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);
  const add = (): void => {
    const list = root.querySelector<HTMLElement>('[part=list]');
    if (!list?.matches('button + *')) list?.before(...arrowsOf(list));
  };
  add();
  new MutationObserver(add).observe(root, { childList: true });
}

function arrowsOf(list: HTMLElement): HTMLElement[] {
  const arrows = ['left', 'right'].map((side, index) => {
    const arrow = document.createElement('button');
    // As an attribute: Firefox has no property for it before 119.
    arrow.setAttribute('aria-hidden', 'true');
    return Object.assign(arrow, {
      part: 'arrow',
      style: `${side}:.25em`,
      tabIndex: -1,
      // From right to left, browsers mirror the signs.
      dir: 'ltr',
      textContent: '‹›'[index],
      onclick: () =>
        list.scrollBy({
          left: (index * 2 - 1) * list.clientWidth,
          // Not every browser leaves out by itself what moves.
          behavior: matchMedia('(prefers-reduced-motion)').matches ? 'auto' : 'smooth',
        }),
    });
  });
  const look = (): void => {
    const rest = list.scrollWidth - list.clientWidth;
    // Zero at the start, negative where that is at the right.
    const left = (getComputedStyle(list).direction === 'rtl' ? rest : 0) + list.scrollLeft;
    [left, rest - left].forEach((room, index) => {
      arrows[index]!.hidden = room < 2;
      list.style.setProperty(`--${index}`, `${Math.min(room, 40)}px`);
    });
  };
  list.onscroll = look;
  new ResizeObserver(look).observe(list);
  return arrows;
}

export { addArrows as run };
