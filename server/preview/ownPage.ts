// A publisher's own page with a list in it, for a frame of the preview: as it was read, without its scripts, nothing in
// it may act.
import { LRUCache } from 'lru-cache';
import { LOOK } from '../fragment/look.ts';
import { escapeHtml } from '../http/escapeHtml.ts';
import { last, type Query } from '../http/query.ts';
import type { FramedPage, Place } from '../posts/readPage/framePage.ts';
import type { SiteId } from '../sites/site.ts';
import { properties } from './samplePage.ts';

/** Each choice in the form loads the frames anew: the page is read once for all of them. */
const KEPT_MS = 600_000;
const MAX_KEPT = 50;
/** Characters of all pages. */
const MAX_LENGTH = 16_000_000;

/**
 * Whatever the page holds, no script runs, nothing is sent, and no other document is loaded: it has an origin of its
 * own, opened by itself, too. Styles, pictures and fonts may lie anywhere, as those of the page do.
 */
export const OWN_PAGE_POLICY = [
  'sandbox',
  "default-src 'none'",
  'img-src http: https: data:',
  "style-src http: https: 'unsafe-inline'",
  'font-src http: https: data:',
  'base-uri http: https:',
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Where a frame is scrolled to. */
const LIST_ID = 'afterword-preview-list';

export const SENTENCES: Record<Place, string> = {
  slot: 'in the slot that it has',
  article: 'after the article',
  main: 'at the end of <main>: it has no slot and no <article>',
  end: 'at its end: it has no slot, no <article> and no <main>',
};

export interface KeptFrames {
  get(site: SiteId, address: string): FramedPage | undefined;
  set(site: SiteId, address: string, page: FramedPage): void;
}

export function createKeptFrames(): KeptFrames {
  const pages = new LRUCache<string, FramedPage>({
    max: MAX_KEPT,
    maxSize: MAX_LENGTH,
    ttl: KEPT_MS,
    sizeCalculation: ({ html }) => html.length + 1,
  });
  const keyOf = (site: SiteId, address: string): string => `${site} ${address}`;
  return {
    get: (site, address) => pages.get(keyOf(site, address)),
    set: (site, address, page) => void pages.set(keyOf(site, address), page),
  };
}

/** Attributes that a fragment has by other names, or that say how a frame is drawn. */
const NOT_OF_LIST = new Set([
  'apikey',
  'kind',
  'url',
  'post',
  'accent',
  'radius',
  'lang',
  'document',
  'uuid',
  'secret',
  'callback',
]);

/**
 * Path of the list as HTML, by the attributes of a slot.
 * @param language Of the page, as it writes it: the list is in it, as the widget would draw it there.
 */
export function fragmentPath(site: SiteId, kind: 'related' | 'top', query: Query, language: string): string {
  const said = [...query.keys()].filter((name) => !NOT_OF_LIST.has(name));
  const values = said.flatMap((name) => (query.get(name) ?? []).flatMap((value) => toParameters(name, value)));
  const lang = LOOK.lang.safeParse(language.replaceAll('_', '-')).data ?? '';
  return `/v2/fragment/${kind}?${new URLSearchParams([['apikey', site], ['url', last(query, 'post') || last(query, 'url') || ''], ['lang', lang], ...values])}`;
}

/** An attribute as parameters: an attribute has bars between exclusions. */
function toParameters(name: string, value: string): [name: string, value: string][] {
  if (name === 'exclude') return value.split('|').flatMap((one) => (one === '' ? [] : [[name, one]]));
  return [[name.replaceAll('-', '_'), value]];
}

/** @param list HTML of our own making. */
export function ownPage({ html, places }: FramedPage, kind: 'related' | 'top', list: string, query: Query): string {
  const { at } = places[kind];
  const style = `scroll-margin-top: 25vh; ${properties(query)}`;
  const block = `<div id="${LIST_ID}" style="${escapeHtml(style)}">${list}</div>`;
  return html.slice(0, at) + block + html.slice(at);
}

/** Stands for a list that cannot be shown. */
export const excuse = (sentence: string): string => `<p style="opacity:.7">${escapeHtml(sentence)}</p>`;

/** What a fragment's answer says when it is no list. */
export function excuseFor(status: number, body: string): string {
  if (status === 403) return excuse('The list is switched off for this site.');
  const { errors = {}, message = `status ${status}` } = JSON.parse(body) as {
    errors?: Record<string, string[]>;
    message?: string;
  };
  const complaints = Object.entries(errors).map(([name, sentences]) => `${name}: ${sentences.join(' ')}`);
  return excuse(`The list is refused: ${complaints.join(' ') || message}`);
}
