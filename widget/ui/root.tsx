/** @jsxRuntime classic */
/** @jsx h */
// Where a list is drawn: a shadow root, with the one style sheet that all lists share; or the page itself.
// biome-ignore lint/correctness/noUnusedImports: JSX calls it
import { h, render } from 'preact';
import { ofDocument } from '../attend.ts';
import type { Settings } from '../host.ts';
import css from './theme.css?inline';

let sheet: CSSStyleSheet | undefined;

/**
 * Styles of the page reach the list by inheritance, custom properties and parts; with `data-shadow="off"` as any other content.
 * What the server drew is still in the root. The slot's own children are not shown any more.
 */
export function attach(slot: HTMLElement, { shadow }: Settings): Element | ShadowRoot {
  const root = slot.shadowRoot || slot.attachShadow({ mode: 'open' });
  if (shadow === 'off') {
    let list = slot.querySelector(':scope>div.afterword');
    if (!list) {
      list = ofDocument('createElement').call(document, 'div');
      slot.append(list);
    }
    list.slot = list.className = 'afterword';
    render(<slot name="afterword" />, root);
    return list;
  }
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  // Not a style element: this one needs no `style-src 'unsafe-inline'`.
  root.adoptedStyleSheets = [sheet];
  return root;
}
