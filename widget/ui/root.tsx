/** @jsxRuntime classic */
/** @jsx h */
// Where a list is drawn: a shadow root, with one style sheet; or the page itself. What few lists need, such as headings
// in the page's language, is fetched before anything is drawn.
// biome-ignore lint/correctness/noUnusedImports: JSX calls it
import { h, render } from 'preact';
import { isForeign } from '../../server/contract/headings.ts';
import { host, ofDocument } from '../attend.ts';
import type { Settings } from '../host.ts';
import { columnStyle } from './columns.ts';
import { extra } from './extras.ts';
import layouts from './layouts.css?inline';
import { labelOf } from './list.tsx';
import type * as TemplatePart from './template.ts';
import theme from './theme.css?inline';

/** Set by the build: false in the file that fetches nothing. */
declare const EXTRAS: boolean;

export type Look = { -readonly [Name in keyof Settings]: Settings[Name] };

/** By their text: lists of one look share them. */
const sheets: Record<string, CSSStyleSheet> = {};

/**
 * Language of the text around a slot, in a component's shadow root that says none that of the page; "" where neither
 * does. Systems whose locales are written `pt_BR` write them so in pages, too.
 */
export const languageOf = (slot: HTMLElement): string =>
  (slot.closest<HTMLElement>('[lang]') || ofDocument('documentElement')).lang.replaceAll('_', '-');

/**
 * What the look of some lists needs is fetched, before anything is drawn. Without a part that does not come, a list is
 * plainer.
 * @param look Settings of the slot; given a heading in the page's language, and a name that no other list has.
 * @returns the style sheet's text.
 */
export async function dress(slot: HTMLElement, look: Look): Promise<string> {
  let style = theme + layouts + columnStyle(look.layout, look.limit, look.columns);
  if (EXTRAS) {
    const language = languageOf(slot);
    const more = await Promise.all([
      look.type === 'videos' ? extra('videos', look) : '',
      isForeign(language) ? extra('languages', look, language, host._load) : '',
    ]);
    style += more.join('');
  }
  // By the heading in the language of the page.
  look.label = labelOf(look) + numberOf(slot);
  return style;
}

/**
 * Styles of the page reach the list by inheritance, custom properties and parts; with `data-shadow="off"` as any other
 * content. What the server drew is still in the root. The slot's own children are not shown any more.
 * @param style Text of the style sheet.
 */
export async function attach(slot: HTMLElement, look: Look, style: string): Promise<Element | ShadowRoot> {
  // Before the root hides what is in the slot.
  const light = look.shadow === 'off' && ((await host._load('template')) as typeof TemplatePart);
  const root = slot.shadowRoot || slot.attachShadow({ mode: 'open' });
  if (light) {
    render(<slot name="afterword" />, root);
    return light.openLight(slot, ofDocument);
  }
  // Not a style element: this needs no `style-src 'unsafe-inline'`. At once: what the server drew keeps its look.
  root.adoptedStyleSheets = [toSheet(style)];
  if (EXTRAS && look.layout === 'row') extra('arrows', root);
  return root;
}

/** Landmarks are distinguished by their names: further lists of a name are numbered. */
function numberOf(slot: HTMLElement): string {
  const index = [...host._slots()]
    .filter(({ afterword }) => afterword && labelOf(afterword) === labelOf(slot.afterword!))
    .indexOf(slot);
  return index > 0 ? ` ${index + 1}` : '';
}

function toSheet(text: string): CSSStyleSheet {
  if (!sheets[text]) {
    sheets[text] = new CSSStyleSheet();
    sheets[text].replaceSync(text);
  }
  return sheets[text];
}
