// Where a list is drawn: a shadow root of its own, with the one style sheet that all lists share.
import type { Settings } from '../host.ts';
import css from './theme.css?inline';

let sheet: CSSStyleSheet | undefined;
const roots = new WeakMap<HTMLElement, Element | ShadowRoot>();

/** Styles of the page reach the list by inheritance, custom properties and parts; with `data-shadow="off"` as any other content. */
export function attach(slot: HTMLElement, { shadow }: Settings): Element | ShadowRoot {
  let root = roots.get(slot);
  if (root) return root;
  if (shadow === 'off') {
    // A page that was kept as text has the list of then in it.
    slot.querySelector(':scope>.afterword')?.remove();
    root = document.createElement('div');
    root.className = 'afterword';
    slot.append(root);
  } else {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
    }
    root = slot.shadowRoot || slot.attachShadow({ mode: 'open' });
    root.textContent = '';
    // Not a style element: this one needs no `style-src 'unsafe-inline'`.
    root.adoptedStyleSheets = [sheet];
  }
  roots.set(slot, root);
  return root;
}
