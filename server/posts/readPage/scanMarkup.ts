// One pass over a page's markup, collecting what metadata is read from. Time and memory grow with the page's length
// only.
import { Parser } from 'htmlparser2';
import type { Node } from './jsonLdGraph.ts';
import { Microdata } from './microdata.ts';
import { findParselyCalls, type ParselyCalls } from './parselyCalls.ts';
import { type ScriptTag, toScriptTag } from './scripts.ts';
import { Slots, type SlotTag } from './slots.ts';
import { TextAbove } from './textAbove.ts';

/** What a page says about itself, as it is written there. */
export interface Markup {
  /** Meta tags in order: lower-case name (`name`, `property` or `itemprop`) and content. */
  metas: { name: string; content: string }[];
  /** `<link>` with the words of its rel, in lower case, as its type is; "" where it names none. */
  links: { rel: string[]; href: string; type: string }[];
  /** Contents of `<script type="application/ld+json">`. */
  jsonLd: string[];
  /** Scripts with an address, in order. */
  scripts: ScriptTag[];
  /** What its own scripts call of an older installation's interface. */
  parselyCalls: ParselyCalls;
  /** Elements that ask for a list. */
  slots: SlotTag[];
  /** A style element of the page makes room for lists. */
  roomStyled: boolean;
  /** `<meta http-equiv="Content-Security-Policy">`. */
  policies: string[];
  /** First `<title>`. */
  title: string;
  /** Each `<h1>` with text. */
  headings: string[];
  /** `<time datetime>`, in order. */
  times: TimeTag[];
  /** Texts marked as the author's name: `rel=author`, `itemprop=author`. */
  bylines: string[];
  /** Items of its microdata that are no property of another. */
  items: readonly Node[];
  /** `<html lang>`. */
  language: string;
  /** `<base href>`. */
  base: string;
  /** `<article>` elements that stand in no other. */
  articles: number;
  /** Text of paragraphs outside navigation, asides, headers and footers. */
  paragraphs: string[];
  /** What reading it costs: `attributes` is the most on one element, `pieces` are texts and comments. */
  size: { elements: number; depth: number; attributes: number; pieces: number };
}

export interface TimeTag {
  datetime: string;
  /** It says that it is the publication (`pubdate`, `itemprop=datePublished`). */
  marked: boolean;
  /** `aside`: in an `<aside>` outside of any article, as that with a list of recent posts. */
  within: 'article' | 'aside' | 'page';
}

/** Most entries kept of one kind. */
const MAX_KEPT = 500;
/** Longest text kept of one entry, in characters; JSON may be longer. */
const MAX_ENTRY = 10_000;
const MAX_ADDRESS = 2_000;
const MAX_JSON = 1_000_000;
const MAX_SCRIPT = 200_000;
const MAX_PARAGRAPHS_TEXT = 500_000;

/** The parser's work grows with the square of the nesting: beyond this the rest of the page is not looked at. */
const MAX_DEPTH = 5_000;
const SLICE = 32 * 1024;

const ASIDE = new Set(['nav', 'aside', 'header', 'footer', 'form', 'dialog', 'noscript', 'template']);
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'textarea', 'svg', 'math']);

/** A rule for slots that names a height, in the piece of text that the parser hands on. */
const ROOM = /afterword[^}]{0,500}\bheight\s*:/;

/** Text that is being read until its element ends. */
interface Capture {
  element: string;
  depth: number;
  text: string;
  max: number;
  done(text: string): void;
}

export function scanMarkup(html: string): Markup {
  const scan = new Scan();
  const parser = new Parser(scan, { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true });
  for (let at = 0; at < html.length && scan.found.size.depth < MAX_DEPTH; at += SLICE)
    parser.write(html.slice(at, at + SLICE));
  parser.end();
  return scan.found;
}

class Scan {
  private readonly microdata = new Microdata();
  readonly found: Markup = {
    metas: [],
    links: [],
    jsonLd: [],
    scripts: [],
    parselyCalls: { called: new Set(), defined: new Set() },
    slots: [],
    roomStyled: false,
    policies: [],
    title: '',
    headings: [],
    times: [],
    bylines: [],
    items: this.microdata.top,
    language: '',
    base: '',
    articles: 0,
    paragraphs: [],
    size: { elements: 0, depth: 0, attributes: 0, pieces: 0 },
  };
  private depth = 0;
  private articleDepth = 0;
  private asideDepth = 0;
  /** Of `<aside>` outside of any article. */
  private besideDepth = 0;
  private silentDepth = 0;
  private paragraphsText = 0;
  private textLength = 0;
  private readonly place = new TextAbove();
  private readonly slots = new Slots();
  private styleDepth = 0;
  private captures: Capture[] = [];

  onopentag(name: string, attributes: Record<string, string>): void {
    const { size } = this.found;
    this.depth++;
    this.place.open(name, this.textLength);
    size.elements++;
    size.depth = Math.max(size.depth, this.depth);
    size.attributes = Math.max(size.attributes, Object.keys(attributes).length);
    if (name === 'article' && this.articleDepth++ === 0) this.found.articles++;
    if (ASIDE.has(name)) this.asideDepth++;
    if (name === 'aside' && (this.besideDepth > 0 || this.articleDepth === 0)) this.besideDepth++;
    if (SILENT.has(name)) this.silentDepth++;
    const slot = this.slots.open(name, attributes, this.depth);
    if (!this.slots.isInList) {
      this.readTag(name, attributes);
      this.microdata.open(name, attributes, this.depth);
    }
    if (slot) keep(this.found.slots, Object.assign(slot, { textAbove: this.place.above(this.textLength) }));
    if (name === 'style') this.styleDepth++;
    if (attributes.itemprop !== undefined) this.readItem(name, attributes);
  }

  onclosetag(name: string): void {
    for (let top = this.captures.at(-1); top && top.depth >= this.depth; top = this.captures.at(-1)) {
      this.captures.pop();
      top.done(top.text);
    }
    this.microdata.close(this.depth);
    this.slots.close(this.depth--);
    this.place.close();
    if (name === 'article') this.articleDepth--;
    if (ASIDE.has(name)) this.asideDepth--;
    if (name === 'aside' && this.besideDepth > 0) this.besideDepth--;
    if (SILENT.has(name)) this.silentDepth--;
    if (name === 'style') this.styleDepth--;
  }

  ontext(text: string): void {
    this.found.size.pieces++;
    if (this.silentDepth === 0) {
      this.textLength += text.length;
      this.microdata.text(text);
    }
    // Not in a template: the style of a list that came with the page is for that list.
    else if (this.styleDepth > 0 && this.silentDepth === 1 && ROOM.test(text)) this.found.roomStyled = true;
    for (const capture of this.captures) {
      const silent = this.silentDepth > 0 && capture.element !== 'script';
      if (!silent && capture.text.length < capture.max)
        capture.text += text.slice(0, capture.max - capture.text.length);
    }
  }

  oncomment(): void {
    this.found.size.pieces++;
  }

  private readTag(name: string, attributes: Record<string, string>): void {
    const { found } = this;
    switch (name) {
      case 'html':
        found.language ||= attributes.lang ?? attributes['xml:lang'] ?? '';
        break;
      case 'base':
        found.base ||= attributes.href ?? '';
        break;
      case 'meta': {
        const header = attributes['http-equiv']?.toLowerCase();
        const language = header === 'content-language' ? header : undefined;
        const key = attributes.property ?? attributes.name ?? attributes.itemprop ?? language;
        const content = attributes.content ?? attributes.value;
        if (key && content !== undefined) keep(found.metas, { name: key.trim().toLowerCase(), content });
        if (content && header === 'content-security-policy') keep(found.policies, content);
        break;
      }
      case 'link':
        if (attributes.rel && attributes.href !== undefined)
          keep(found.links, {
            rel: attributes.rel.toLowerCase().split(/\s+/),
            href: attributes.href,
            type: (attributes.type ?? '').slice(0, MAX_ADDRESS).toLowerCase(),
          });
        break;
      case 'title':
        if (found.title === '' && this.silentDepth === 0) this.capture(name, (text) => (found.title ||= text.trim()));
        break;
      case 'h1':
        this.capture(name, (text) => text.trim() && keep(found.headings, text.trim()));
        break;
      case 'p':
        if (this.asideDepth === 0) this.capture(name, (text) => this.keepParagraph(text));
        break;
      case 'time':
        if (attributes.datetime) this.keepTime(attributes.datetime, attributes.pubdate !== undefined);
        break;
      case 'script':
        if (/^\s*application\/ld\+json\b/i.test(attributes.type ?? ''))
          this.capture(name, (text) => keep(found.jsonLd, text), MAX_JSON);
        else if (!attributes.src) this.capture(name, (text) => findParselyCalls(text, found.parselyCalls), MAX_SCRIPT);
        this.keepScript(toScriptTag(attributes));
        break;
    }
    if (attributes.rel?.toLowerCase().split(/\s+/).includes('author') && name !== 'link') this.captureByline(name);
  }

  private keepScript(script: ScriptTag | undefined): void {
    if (script) keep(this.found.scripts, script);
  }

  /** Microdata, as far as plain pages use it. */
  private readItem(name: string, { itemprop, datetime, content }: Record<string, string>): void {
    const words = itemprop?.toLowerCase().split(/\s+/) ?? [];
    if (words.includes('datepublished') && name !== 'meta') {
      const said = datetime ?? content;
      const last = this.found.times.at(-1);
      if (name === 'time' && last) last.marked = true;
      else if (said) this.keepTime(said, true);
    }
    if (words.includes('author') && name !== 'meta') this.captureByline(name);
  }

  private keepTime(datetime: string, marked: boolean): void {
    const within = this.besideDepth > 0 ? 'aside' : this.articleDepth > 0 ? 'article' : 'page';
    keep(this.found.times, { datetime, marked, within });
  }

  private captureByline(name: string): void {
    this.capture(name, (text) => text.trim() && keep(this.found.bylines, text), 300);
  }

  private keepParagraph(text: string): void {
    const trimmed = text.replace(/\s+/g, ' ').trim();
    if (trimmed === '' || this.paragraphsText > MAX_PARAGRAPHS_TEXT) return;
    this.paragraphsText += trimmed.length;
    this.found.paragraphs.push(trimmed);
  }

  /** Elements in elements are read side by side, but never many: a page of nothing but `<p><h1><p>…` stays cheap. */
  private capture(element: string, done: (text: string) => void, max = MAX_ENTRY): void {
    if (this.captures.length < 8) this.captures.push({ element, depth: this.depth, text: '', max, done });
  }
}

function keep<T>(list: T[], entry: T): void {
  if (list.length < MAX_KEPT) list.push(entry);
}
