/** @jsxRuntime classic */
/** @jsx h */
// Where a list is drawn: a shadow root, with the style sheet that all lists share; or the page itself. What few lists
// need, such as headings in the page's language, is fetched before anything is drawn.
// biome-ignore lint/correctness/noUnusedImports: JSX calls it
import { h, render } from 'preact';
import { host, ofDocument } from '../attend.ts';
import type { Settings } from '../host.ts';
import type * as Arrows from '../rare/arrows.ts';
import { layoutStyle } from './layouts.ts';
import type * as TemplatePart from './template.ts';
import css from './theme.css?inline';

/** Set by the build: false in the file that fetches nothing. */
declare const EXTRAS: boolean;

export type Look = { -readonly [Name in keyof Settings]: Settings[Name] };

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

/** By their text: lists of one layout share them. */
const sheets: Record<string, CSSStyleSheet> = {};

/** Language of the text around a slot; "" where the page does not say. */
export const languageOf = (slot: HTMLElement): string => slot.closest<HTMLElement>('[lang]')?.lang || '';

/**
 * What the look of some lists needs is fetched, before anything is drawn.
 * @param look Settings of the slot; given a heading in the page's language, and a name that no other list has.
 * @returns style sheets.
 */
export async function dress(slot: HTMLElement, look: Look): Promise<string[]> {
  look.labelNumber = numberOf(slot);
  const styles = [css, layoutStyle(look.layout, look.limit, look.columns)];
  const language = languageOf(slot);
  const add = async (name: string): Promise<void> => {
    const part = (await host._load(name)) as LookPart;
    styles.push(await part.dress(look, language, host._load));
  };
  // Without a part that does not come, a list is plainer.
  if (EXTRAS)
    await Promise.all([look.type === 'videos' && add('videos'), /^(?!en)./.test(language) && add('languages')]).catch(
      host._report,
    );
  return styles;
}

/**
 * Styles of the page reach the list by inheritance, custom properties and parts; with `data-shadow="off"` as any other
 * content. What the server drew is still in the root. The slot's own children are not shown any more.
 */
export async function attach(slot: HTMLElement, look: Look, styles: string[]): Promise<Element | ShadowRoot> {
  let root: Element | ShadowRoot = slot.shadowRoot || slot.attachShadow({ mode: 'open' });
  if (look.shadow === 'off') {
    render(<slot name="afterword" />, root);
    root = ((await host._load('template')) as typeof TemplatePart).openLight(slot, ofDocument);
  }
  // Not style elements: these need no `style-src 'unsafe-inline'`. All at once: what the server drew keeps its look.
  (root as ShadowRoot).adoptedStyleSheets = styles.map(toSheet);
  if (EXTRAS && look.layout === 'row' && root === slot.shadowRoot)
    host._load('arrows').then((part) => (part as typeof Arrows).addArrows(root as ShadowRoot), host._report);
  return root;
}

const nameOf = ({ dataset: { label, heading, afterword } }: HTMLElement): unknown => label || (heading ?? afterword);

/** Landmarks are distinguished by their names: further lists of a name are numbered. */
function numberOf(slot: HTMLElement): string {
  const index = [...host._slots()].filter((other) => nameOf(other) === nameOf(slot)).indexOf(slot);
  return index > 0 ? ` ${index + 1}` : '';
}

function toSheet(text: string): CSSStyleSheet {
  if (!sheets[text]) {
    sheets[text] = new CSSStyleSheet();
    sheets[text].replaceSync(text);
  }
  return sheets[text];
}
