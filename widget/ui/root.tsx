/** @jsxRuntime classic */
/** @jsx h */
// Where a list is drawn: a shadow root, with the style sheet that all lists share; or the page itself. What few lists need, such as
// headings in the page's language, is fetched before anything is drawn.
// biome-ignore lint/correctness/noUnusedImports: JSX calls it
import { h, render } from 'preact';
import { findSlots, host, ofDocument } from '../attend.ts';
import type * as Arrows from '../rare/arrows.ts';
import { layoutStyle } from './layouts.ts';
import css from './theme.css?inline';

/** Set by the build: false in the file that fetches nothing. */
declare const EXTRAS: boolean;

export type Look = Record<string, string | undefined>;

/** A part that completes the look of some lists. */
export interface LookPart {
  /**
   * Called before a list is drawn.
   * @param look The settings it is drawn with, which may be completed.
   * @param load Fetches another part.
   * @returns styles.
   */
  dress(look: Look, language: string, load: (part: string) => Promise<unknown>): string | Promise<string>;
}

let sheet: CSSStyleSheet | undefined;

/**
 * Styles of the page reach the list by inheritance, custom properties and parts; with `data-shadow="off"` as any other content.
 * What the server drew is still in the root. The slot's own children are not shown any more.
 * @param look Settings of the slot; given a heading in the page's language, and a name that no other list has.
 */
export async function attach(slot: HTMLElement, look: Look): Promise<Element | ShadowRoot> {
  let root: Element | ShadowRoot = slot.shadowRoot || slot.attachShadow({ mode: 'open' });
  if (look.shadow === 'off') {
    let list = slot.querySelector(':scope>div.afterword');
    if (!list) {
      list = ofDocument('createElement').call(document, 'div');
      slot.append(list);
    }
    list.slot = list.className = 'afterword';
    render(<slot name="afterword" />, root);
    root = list;
  }
  look['label-number'] = numberOf(slot);
  sheet ||= toSheet(css);
  const sheets = [sheet, toSheet(layoutStyle(look.layout, look.limit, look.columns))];
  const language = slot.closest<HTMLElement>('[lang]')?.lang || '';
  const parts = [look.type === 'videos' && 'videos', /^(?!en)./.test(language) && 'languages'];
  const dress = async (name: string | false): Promise<void> => {
    const part = name && ((await host._load(name)) as LookPart | undefined);
    if (part) sheets.push(toSheet(await part.dress(look, language, host._load)));
  };
  // Without a part that does not come, a list is plainer.
  if (EXTRAS) await Promise.all(parts.map(dress)).catch(host._report);
  // Not style elements: these need no `style-src 'unsafe-inline'`. All at once: what the server drew keeps its look.
  (root as ShadowRoot).adoptedStyleSheets = sheets;
  if (EXTRAS && look.layout === 'row' && root === slot.shadowRoot)
    host
      ._load('arrows')
      .then((part) => (part as typeof Arrows | undefined)?.addArrows(root as ShadowRoot), host._report);
  return root;
}

const nameOf = ({ dataset: { label, heading, afterword } }: HTMLElement): unknown => label || (heading ?? afterword);

/** Landmarks are told apart by their names: further lists of a name are numbered. */
function numberOf(slot: HTMLElement): string {
  const index = [...findSlots()].filter((other) => nameOf(other) === nameOf(slot)).indexOf(slot);
  return index > 0 ? ` ${index + 1}` : '';
}

function toSheet(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
