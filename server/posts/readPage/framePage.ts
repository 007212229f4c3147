// A page as it can be shown to others: without scripts, frames and what else acts, in three pieces around the place of
// a list. Pure. What is kept stays as it is written; this is no sanitizer to lean on alone: the server that sends it
// forbids scripts, too.
import { Parser } from 'htmlparser2';
import { parseUrl } from '../parseUrl.ts';

/** Where a list stands in it. */
export type Place = 'slot' | 'article' | 'main' | 'end';

export interface FramedPage {
  html: string;
  /** `<html lang>` as it is written; "" for none. */
  language: string;
  /** Where in `html` a list of a kind would stand: at the page's own slot for it, else after the article. */
  places: Record<'related' | 'top', { at: number; is: Place }>;
}

/** Elements that act, or bring in documents of others: left out with all that is in them. */
const LEFT_OUT = new Set(
  'script iframe frame frameset object embed applet portal fencedframe audio video dialog'.split(' '),
);
/** Attributes that act. What else begins with "on" is a handler. */
const ACTING = new Set(['srcdoc', 'ping', 'action', 'formaction', 'autofocus', 'nonce', 'integrity', 'crossorigin']);
/** As in the other reader of markup: the parser's work grows with the square of the nesting. */
const MAX_DEPTH = 5_000;
const SLICE = 32 * 1024;

interface Edit {
  from: number;
  to: number;
  put: string;
}

/** @param url Where the page was read: what its addresses are relative to. */
export function framePage(html: string, url: string): FramedPage {
  const framing = new Framing(html);
  const parser = new Parser(framing, { decodeEntities: false, lowerCaseTags: true, lowerCaseAttributeNames: true });
  framing.parser = parser;
  let read = 0;
  for (; read < html.length && framing.depth < MAX_DEPTH; read += SLICE) parser.write(html.slice(read, read + SLICE));
  framing.end = Math.min(read, html.length);
  parser.end();
  const base = parseUrl(framing.base, url)?.href ?? url;
  const head = { from: framing.head, to: framing.head, put: `<base href="${quoted(base)}" target="_blank">` };
  // Without a tag that is not finished: what follows would become part of it.
  return assemble(html.slice(0, framing.seen), [head, ...framing.edits], framing);
}

/** Notes while it is parsed what is to be cut and where lists would stand, by positions in the page. */
class Framing {
  parser!: Pick<Parser, 'startIndex' | 'endIndex'>;
  readonly edits: Edit[] = [];
  readonly slots: Partial<Record<string, number>> = {};
  /** Where the longest article, the main part and the body end. */
  article = { length: 0, at: -1 };
  main = -1;
  body = -1;
  /** Where what belongs into the head can stand. */
  head = 0;
  base = '';
  language = '';
  depth = 0;
  /** Set when all is parsed: elements that are still open end there. */
  end: number | undefined;
  /** Where what was understood ends. */
  seen = 0;
  private leaving: { depth: number; from: number } | undefined;
  private articles: number[] = [];
  private readonly html: string;

  constructor(html: string) {
    this.html = html;
  }

  ontext(): void {
    this.seen = this.parser.endIndex + 1;
  }

  oncomment(): void {
    this.ontext();
  }

  onprocessinginstruction(): void {
    this.ontext();
    if (this.depth === 0 && this.head === 0) this.head = this.parser.endIndex + 1;
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    this.depth++;
    this.ontext();
    if (this.leaving) return;
    const [from, to] = [this.parser.startIndex, this.parser.endIndex + 1];
    const slot = attributes['data-afterword'] ?? (name.startsWith('afterword-') ? name.slice(10) : undefined);
    if (slot !== undefined) this.slots[slot] ??= from;
    if (slot !== undefined || LEFT_OUT.has(name)) this.leaving = { depth: this.depth, from };
    else if (isDropped(name, attributes)) this.edits.push({ from, to, put: '' });
    else if (Object.keys(attributes).some(isActing))
      this.edits.push({ from, to, put: withoutActs(name, attributes, this.html[to - 2] === '/') });
    if (name === 'base') this.base ||= attributes.href ?? '';
    if (name === 'html') this.language ||= attributes.lang ?? '';
    if ((name === 'html' || name === 'head') && this.depth <= 2) this.head = to;
    if (name === 'article') this.articles.push(from);
  }

  onclosetag(name: string, isImplied: boolean): void {
    const depth = this.depth--;
    const { startIndex } = this.parser;
    if (!isImplied) this.seen = this.endOfEndTag();
    // What has no end tag ends where the next tag begins; what is void, with itself.
    const isBefore = isImplied && startIndex > (this.leaving?.from ?? 0);
    const to = this.end ?? (isBefore ? startIndex : Math.max(this.seen, this.parser.endIndex + 1));
    if (this.leaving) {
      if (depth !== this.leaving.depth) return;
      this.edits.push({ from: this.leaving.from, to, put: '' });
      this.leaving = undefined;
    }
    if (name === 'article') this.endArticle(to);
    // A list stands within these.
    if (name === 'main') this.main = this.end ?? startIndex;
    if (name === 'body') this.body = this.end ?? startIndex;
  }

  /** Space may stand before it. Of a tag that is not finished: where it begins. */
  private endOfEndTag(): number {
    const closing = this.html.indexOf('>', this.parser.endIndex);
    return closing < 0 ? this.parser.startIndex : closing + 1;
  }

  private endArticle(at: number): void {
    const length = at - (this.articles.pop() ?? at);
    if (length > this.article.length) this.article = { length, at };
  }
}

/** Cuts, from the end to the beginning, and says where the places are then. */
function assemble(html: string, edits: Edit[], { slots, article, main, body, language }: Framing): FramedPage {
  const placeOf = (kind: string): { at: number; is: Place } => {
    const slot = slots[kind];
    if (slot !== undefined) return { at: slot, is: 'slot' };
    if (article.at >= 0) return { at: article.at, is: 'article' };
    return main >= 0 ? { at: main, is: 'main' } : { at: body >= 0 ? body : html.length, is: 'end' };
  };
  const places = { related: placeOf('related'), top: placeOf('top') };
  const pieces: string[] = [];
  let [done, length] = [0, 0];
  const starts = { related: places.related.at, top: places.top.at };
  const shift = { related: 0, top: 0 };
  for (const { from, to, put } of edits.sort((a, b) => a.from - b.from || a.to - b.to)) {
    pieces.push(html.slice(done, from), put);
    length += from - done + put.length;
    done = to;
    for (const kind of ['related', 'top'] as const) if (starts[kind] >= to) shift[kind] = length - to;
  }
  pieces.push(html.slice(done));
  for (const kind of ['related', 'top'] as const) places[kind].at = starts[kind] + shift[kind];
  return { html: pieces.join(''), language, places };
}

/** Elements that end where they begin, and say what the page may do or load besides styles. */
function isDropped(name: string, attributes: Record<string, string>): boolean {
  if (name === 'base') return true;
  if (name === 'meta') return attributes['http-equiv'] !== undefined || attributes.charset !== undefined;
  return name === 'link' && !/\bstylesheet\b/i.test(attributes.rel ?? '');
}

const isActing = (name: string): boolean => name.startsWith('on') || ACTING.has(name);

function withoutActs(name: string, attributes: Record<string, string>, isClosed: boolean): string {
  const kept = Object.entries(attributes).filter(([attribute]) => !isActing(attribute));
  return `<${name}${kept.map(([attribute, value]) => ` ${attribute}="${quoted(value)}"`).join('')}${isClosed ? '/' : ''}>`;
}

const quoted = (value: string): string => value.replaceAll('"', '&quot;');
