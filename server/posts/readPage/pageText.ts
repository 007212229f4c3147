// The text of an article, without what stands around it. The library that finds it is made for pages in good faith:
// pages that would keep it busy for minutes are measured first, and read by their paragraphs instead.
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { messageOf } from '../../errors.ts';
import { cleanText } from './clean.ts';
import { MAX_TEXT } from './finding.ts';
import type { Markup } from './scanMarkup.ts';

export interface PageText {
  text: string;
  /** How it was found. */
  by: 'readability' | 'paragraphs';
}

/** What the library reads within about a second. Long articles with hundreds of comments stay below. */
const READABLE = { depth: 120, elements: 20_000, attributes: 500, pieces: 100_000 } as const;

/** Characters below which a found text is doubted. */
const SHORT = 250;

/** @param html undefined where extraction of the article timed out before. */
export function readText(html: string | undefined, markup: Markup, note: (text: string) => void): PageText {
  const over = (Object.keys(READABLE) as (keyof typeof READABLE)[]).find(
    (measure) => markup.size[measure] > READABLE[measure],
  );
  if (over) note(`The page is too large to separate its text from the rest (${over}): its paragraphs are taken.`);
  if (html === undefined) note('Separating its text from the rest took too long: its paragraphs are taken.');
  const found = (over || html === undefined ? undefined : extract(html, note)) ?? '';
  const paragraphs = cleanText(markup.paragraphs.join('\n\n'), MAX_TEXT);
  // Malformed pages make it throw away nearly all.
  const isArticle = found.length >= SHORT || found.length >= paragraphs.length;
  return isArticle && found !== '' ? { text: found, by: 'readability' } : { text: paragraphs, by: 'paragraphs' };
}

/** Pages may leave these out, the DOM does not put them in, and the library expects them. */
const FRAME = /<!doctype[^>]{0,500}>|<\/?(?:html|head|body)(?=[\s/>])[^>]{0,500}>/gi;

function extract(html: string, note: (text: string) => void): string | undefined {
  try {
    // A page that was cut off may end in the middle of a tag.
    const open = html.lastIndexOf('<');
    const whole = open > html.lastIndexOf('>') ? html.slice(0, open) : html;
    const body = whole.replace(FRAME, '');
    const { document } = parseHTML(`<!doctype html><html><head></head><body>${body}</body></html>`);
    const article = new Readability(document, { disableJSONLD: true, serializer: textOf }).parse();
    return article?.content ? tidy(article.content) : undefined;
  } catch (error) {
    // The library has its own opinion on a few malformed pages: that costs the page its best text, never its record.
    note(`The text could not be separated from the rest (${messageOf(error)}).`);
    return undefined;
  }
}

const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE DD DETAILS DIV DL DT FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN OL P PRE SECTION TABLE TR UL'.split(
    ' ',
  ),
);
const UNSAID = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'SVG', 'FORM', 'BUTTON']);

/**
 * Text with a line break wherever the page shows one: `textContent` would glue the last word of a paragraph to the
 * next.
 */
function textOf(root: Node): string {
  const parts: string[] = [];
  const walk = (node: Node): void => {
    if (node.nodeType === 3) parts.push((node.nodeValue ?? '').replace(/\s+/g, ' '));
    if (node.nodeType !== 1) return;
    const name = node.nodeName.toUpperCase();
    if (UNSAID.has(name)) return;
    const edge = name === 'BR' ? '\n' : BLOCKS.has(name) ? '\n\n' : name === 'TD' || name === 'TH' ? ' ' : '';
    parts.push(edge);
    for (let child = node.firstChild; child; child = child.nextSibling) walk(child);
    if (edge !== '\n') parts.push(edge);
  };
  walk(root);
  return parts.join('');
}

function tidy(text: string): string {
  const lines = cleanText(text, 2 * MAX_TEXT)
    .split('\n')
    .map((row) => row.replace(/\s+/g, ' ').trim());
  return cleanText(lines.join('\n').replace(/\n{2,}/g, '\n\n'), MAX_TEXT);
}
