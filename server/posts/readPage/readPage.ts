// What a page says about itself, field by field, each with where it was read. Pure: text in, record out.
//
//   const page = readPage({ url, html }, (address) => belongsToSite(address, site));
//   page.url            canonical address      page.patch      what a crawl writes
//   page.sources.title  'json-ld'              page.notes      what was passed over, and why
import { canonicalUrl, pageUrl } from '../canonicalUrl.ts';
import { countWords } from '../countWords.ts';
import { parseUrl } from '../parseUrl.ts';
import type { PageType, PostPatch } from '../post.ts';
import { languageTag, titleLine } from './clean.ts';
import type { Finding, Source } from './finding.ts';
import { languageOfScript } from './languageOfScript.ts';
import { readOpenGraph } from './openGraph.ts';
import { type PageText, readText } from './pageText.ts';
import { readParselyMeta, readParselyPage } from './parselyTags.ts';
import { contents, readFeeds, readPlainHtml } from './plainHtml.ts';
import { type Markup, scanMarkup } from './scanMarkup.ts';
import { readSchemaOrg, withoutFragment } from './schemaOrg.ts';
import type { ScriptTag } from './scripts.ts';
import { withoutSiteName } from './siteName.ts';
import type { SlotTag } from './slots.ts';

export type { ScriptTag } from './scripts.ts';
export type { DataTag, SlotTag } from './slots.ts';

export interface FetchedPage {
  /** Address it was read at, after redirects. */
  url: string;
  html: string;
  /** Header `Content-Language`. */
  language?: string | undefined;
  /** Use its paragraphs as its text: extraction of the article timed out. Default: false. */
  plain?: boolean | undefined;
}

/** Everything a page can say about a post. Fields it says nothing about are there, and empty. */
export type PagePatch = Required<
  Pick<
    PostPatch,
    | 'pageType'
    | 'title'
    | 'imageUrl'
    | 'pubDate'
    | 'section'
    | 'authors'
    | 'tags'
    | 'fullContent'
    | 'language'
    | 'postId'
    | 'metadata'
  >
>;

export type FieldSource = Source | PageText['by'] | 'http' | 'script' | 'address' | 'reads-like-an-article';

export interface PageRecord {
  /** Canonical URL: what the page gives as its own when that is the site's, else where it was read. */
  url: string;
  patch: PagePatch;
  wordCount: number;
  /** Where each field was read; fields without a source are absent. */
  sources: Partial<Record<keyof PagePatch | 'url', FieldSource>>;
  /** Explanations, one sentence each. */
  notes: string[];
  /** Its canonical link, by which the widget reports its views; "" for none. */
  canonicalLink: string;
  /** Scripts it loads, and what its own policy allows: for finding why a list does not show. */
  scripts: ScriptTag[];
  slots: SlotTag[];
  /** A style element of the page makes room for lists. */
  roomStyled: boolean;
  policies: string[];
  /** Addresses of the feeds it names: RSS, Atom, JSON Feed. */
  feeds: string[];
  /** Functions below `PARSELY` that its own scripts call and do not define. */
  parselyCalls: string[];
}

/** Words from which a page without any metadata counts as an article. */
const ARTICLE_WORDS = 100;

/** @param owns Whether an address belongs to the page's site. */
export function readPage(page: FetchedPage, owns: (url: URL) => boolean): PageRecord {
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  const markup = scanMarkup(page.html);
  const base = parseUrl(markup.base, page.url)?.href ?? page.url;
  const plain = readPlainHtml(markup, base);
  const openGraph = readOpenGraph(markup, base);
  const addresses = new Set([page.url, plain.url, openGraph.url].flatMap((url) => (url ? [withoutFragment(url)] : [])));
  const { jsonLd, microdata, trails } = readSchemaOrg(markup, {
    ...{ base, addresses, note, language: plain.language },
    isArticle: openGraph.pageType === 'post' && openGraph.pubDate !== undefined,
  });
  const sources: Layer[] = [
    ['opengraph', { language: openGraph.language, url: openGraph.url }],
    ...trails,
    ['html', plain],
    ['html', microdata],
    ['opengraph', { ...openGraph, language: undefined, url: undefined }],
    ['json-ld', jsonLd],
    ['parsely-page', readParselyPage(markup, base, note)],
    ['parsely-meta', withType(readParselyMeta(markup, base), markup)],
  ];
  const record = layOver(sources);
  if (record.said.language === undefined && languageTag(page.language) !== undefined)
    record.set('language', languageTag(page.language), 'http');
  const { said } = record;
  if (said.title !== undefined) said.title = titleLine(said.title);
  const isWritten = record.from.title === 'parsely-meta' || record.from.title === 'parsely-page';
  if (said.title !== undefined && !isWritten) {
    const names = [...(jsonLd.siteNames ?? []), ...(openGraph.siteNames ?? [])];
    said.title = withoutSiteName(said.title, { names, headings: markup.headings });
  }

  const type = said.pageType;
  const text = type === undefined || type === 'post' ? textOf(page, { markup, body: said.text, note }) : NO_TEXT;
  const wordCount = countWords(text.text);
  const pageType = type ?? guessType(page.url, { markup, wordCount, record, note });
  const isPost = pageType === 'post';
  if (said.language === undefined) {
    const written = languageOfScript(text.text || (said.title ?? ''));
    if (written !== undefined) record.set('language', written, 'script');
  }
  if (isPost && text.text !== '') record.from.fullContent = text.by;
  const url = canonicalOf(sources, { page, owns, note });
  return {
    url: url.url,
    patch: {
      pageType,
      title: said.title ?? '',
      imageUrl: said.imageUrl ?? '',
      pubDate: said.pubDate ?? null,
      section: said.section ?? '',
      authors: said.authors ?? [],
      tags: said.tags ?? [],
      fullContent: isPost ? text.text : '',
      language: said.language ?? '',
      postId: said.postId ?? '',
      metadata: said.metadata ?? '',
    },
    wordCount: isPost ? wordCount : 0,
    sources: { ...record.from, url: url.source },
    notes,
    canonicalLink: plain.url ?? '',
    scripts: markup.scripts,
    slots: markup.slots,
    roomStyled: markup.roomStyled,
    policies: markup.policies,
    feeds: readFeeds(markup, base),
    parselyCalls: [...markup.parselyCalls.called].filter((name) => !markup.parselyCalls.defined.has(name)),
  };
}

type Layer = [Source, Finding | { [K in keyof Finding]: Finding[K] | undefined }];

const NO_TEXT: ReturnType<typeof textOf> = { text: '', by: 'paragraphs' };

interface Laid {
  said: Finding;
  from: PageRecord['sources'];
  set<K extends keyof Finding>(field: K, value: Finding[K], source: FieldSource): void;
}

/** Later layers win, field by field. */
function layOver(layers: readonly Layer[]): Laid {
  const said: Finding = {};
  const from: Partial<Record<string, FieldSource>> = {};
  const set: Laid['set'] = (field, value, source) => {
    said[field] = value;
    from[field] = source;
  };
  for (const [source, fields] of layers) {
    for (const field of Object.keys(fields) as (keyof Finding)[]) {
      if (fields[field] !== undefined) set(field, fields[field], source);
    }
  }
  delete from.text;
  delete from.siteNames;
  delete from.url;
  return { said, from, set };
}

/** Tags without a type mean a post, as in the metadata endpoint. */
function withType(said: Finding, markup: Markup): Finding {
  const written = contents(markup, 'parsely-title').length > 0 && contents(markup, 'parsely-type').length === 0;
  return written ? { pageType: 'post', ...said } : said;
}

/** The article as it stands on the page; where the page shows much less than its JSON-LD carries, what that carries. */
function textOf(
  { html, plain }: FetchedPage,
  { markup, body, note }: { markup: Markup; body: string | undefined; note: (text: string) => void },
): { text: string; by: FieldSource } {
  const shown = readText(plain === true ? undefined : html, markup, note);
  return body !== undefined && shown.text.length < body.length / 2 ? { text: body, by: 'json-ld' } : shown;
}

/** The page declares no type: it is a post when it is not the front page and reads like one article. */
function guessType(url: string, seen: Guess): PageType {
  const { markup, wordCount, record, note } = seen;
  const unlike = unlikeArticle(url, markup, wordCount);
  if (unlike !== undefined) {
    note(
      `The page names no type, and ${unlike}: it is no post. JSON-LD of a NewsArticle or og:type "article" make it one.`,
    );
    return 'other';
  }
  record.from.pageType = 'reads-like-an-article';
  return 'post';
}

interface Guess {
  markup: Markup;
  wordCount: number;
  record: Laid;
  note(text: string): void;
}

/** @returns What keeps a page without a type from being a post; undefined: nothing does. */
function unlikeArticle(url: string, { articles, headings }: Markup, words: number): string | undefined {
  if (new URL(url).pathname === '/') return 'is the front page';
  if (articles > 1) return `has ${articles} <article> elements`;
  if (headings.length > 1) return `has ${headings.length} <h1> headings`;
  return words < ARTICLE_WORDS ? `its text has ${words} words, where an article has ${ARTICLE_WORDS}` : undefined;
}

/**
 * The strongest address of the page's own that is the site's. The front page as address of everything is a known
 * mistake of site settings, and would make one post of the whole site.
 */
function canonicalOf(
  layers: readonly Layer[],
  { page, owns, note }: { page: FetchedPage; owns: (url: URL) => boolean; note: (text: string) => void },
): { url: string; source: FieldSource } {
  for (const [source, { url }] of [...layers].reverse()) {
    const address = url === undefined ? undefined : canonicalUrl(url);
    if (address === undefined) continue;
    if (!owns(new URL(address))) note(`${address} is no address of this site; the page keeps its own.`);
    else if (isFront(address) && !isFront(page.url))
      note(`${address} is the front page; the page keeps its own address.`);
    else return { url: address, source };
  }
  return { url: pageUrl(page.url) ?? page.url, source: 'address' };
}

function isFront(url: string): boolean {
  const { pathname, search } = new URL(url);
  return pathname === '/' && search === '';
}
