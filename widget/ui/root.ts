// Where a list is drawn: a shadow root of its own, with the one style sheet that all lists share.
import css from './theme.css?inline';

let sheet: CSSStyleSheet | undefined;

/** Scripts and styles of the page reach the list by inheritance, custom properties and parts. */
export function attach(slot: HTMLElement): ShadowRoot {
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
