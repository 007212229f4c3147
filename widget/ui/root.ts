// Where a list is drawn: a shadow root of its own, with the one style sheet that all lists share.
import type { Settings } from '../host.ts';
import css from './theme.css?inline';

let sheet: CSSStyleSheet | undefined;

/** Styles of the page reach the list by inheritance, custom properties and parts; with `data-shadow="off"` as any other content. */
export function attach(slot: HTMLElement, { shadow }: Settings): Element | ShadowRoot {
  if (shadow === 'off') {
    const { lastElementChild: last } = slot;
    if (last?.className === 'afterword') return last;
    const list = document.createElement('div');
    list.className = 'afterword';
    slot.append(list);
    return list;
  }
  if (slot.shadowRoot) return slot.shadowRoot;
  const root = slot.attachShadow({ mode: 'open' });
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  // Not a style element: this one needs no `style-src 'unsafe-inline'`.
  root.adoptedStyleSheets = [sheet];
  return root;
}
