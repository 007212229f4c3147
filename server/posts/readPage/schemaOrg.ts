// schema.org data in JSON-LD blocks and in microdata: the node that is about this page, found among all that a page
// says, and its fields.
import { decodeHTML } from 'entities';
import { MAX_TAGS } from '../../contract/limits.ts';
import { isRecord } from '../../isRecord.ts';
import { cleanText, commaSeparated, languageTag, line, names, webUrl } from './clean.ts';
import { type Finding, finding, MAX_AUTHORS, MAX_TEXT, type Source } from './finding.ts';
import { type Graph, type Node, parseBlocks } from './jsonLdGraph.ts';
import { firstMoment } from './plainHtml.ts';
import { isPostType, typeNames } from './postTypes.ts';
import type { Markup } from './scanMarkup.ts';

/** Types of nodes that stand on every page of a site, whatever the page is. */
const BESIDE = new Set([
  'BreadcrumbList',
  'Corporation',
  'ImageObject',
  'ListItem',
  'NewsMediaOrganization',
  'Organization',
  'Person',
  'SearchAction',
  'SiteNavigationElement',
  'WebSite',
  'WPFooter',
  'WPHeader',
  'WPSideBar',
]);

/** Types of nodes that describe what an article holds, or no more than that there is a page. */
const PARTS = new Set([
  ...BESIDE,
  'AudioObject',
  'ClaimReview',
  'FAQPage',
  'HowTo',
  'ImageGallery',
  'ItemList',
  'LocalBusiness',
  'Question',
  'VideoObject',
  'WebPage',
]);

export interface JsonLdContext {
  base: string;
  /** Of the page, where a node names none. */
  language: string | undefined;
  /** Addresses the page is known by, without fragments. */
  addresses: ReadonlySet<string>;
  /** Open Graph calls it an article, and says when it was published. */
  isArticle: boolean;
  note(text: string): void;
}

export interface SchemaOrg {
  jsonLd: Finding;
  microdata: Finding;
  /** Sections that breadcrumbs name. */
  trails: [Source, Finding][];
}

export function readSchemaOrg({ jsonLd, items }: Markup, context: JsonLdContext): SchemaOrg {
  const graph = parseBlocks(jsonLd, context.note);
  return {
    jsonLd: readJsonLd(graph, context),
    microdata: readMicrodata(items, context),
    trails: [
      ['html', finding({ section: sectionOfTrail(items, context) })],
      ['json-ld', finding({ section: sectionOfTrail(graph.top, context) })],
    ],
  };
}

/** An article that names this page, or the only one that names none: of teasers, none is this page. */
function readMicrodata(items: readonly Node[], context: JsonLdContext): Finding {
  // Themes call whatever stands in <main> a creative work.
  const isArticle = (name: string) => name !== 'CreativeWork' && isPostType(name);
  const posts = items.filter((item) => typeNames(item['@type']).some(isArticle));
  const unnamed = posts.filter((post) => addressesOf(post, context.base).length === 0);
  const post = named(posts, context) ?? (unnamed.length === 1 ? unnamed[0] : undefined);
  if (post === undefined || new URL(context.base).pathname === '/') return {};
  const { url: _, siteNames: __, text: ___, ...said } = describe(post, { top: [...items], byId: new Map() }, context);
  return said;
}

function readJsonLd(graph: Graph, context: JsonLdContext): Finding {
  const posts = graph.top.filter((node) => isPostType(node['@type']));
  const post = chosen(posts, context);
  if (post) return describe(post, graph, context);
  if (posts.length > 0) {
    context.note(`JSON-LD describes ${posts.length} posts, none of them this page: it is read as a list of posts.`);
    return { pageType: 'other' };
  }
  const pages = graph.top.filter((node) => typeNames(node['@type']).some((name) => !BESIDE.has(name)));
  const page = pages.find((node) => typeNames(node['@type']).some((name) => name.endsWith('Page'))) ?? pages[0];
  if (context.isArticle && pages.every((node) => typeNames(node['@type']).every((name) => PARTS.has(name))))
    return describePage(page, graph, context);
  return page ? { ...describe(page, graph, context), pageType: 'other' } : {};
}

/** Of a page that Open Graph calls an article: what its node says, but for the title that browsers show. */
function describePage(page: Node | undefined, graph: Graph, context: JsonLdContext): Finding {
  const isPage = typeNames(page?.['@type']).some((name) => name.endsWith('Page'));
  if (page && isPage) {
    const { title: _, pageType: __, ...said } = describe(page, graph, context);
    return said;
  }
  return finding({ siteNames: siteNames({}, graph) });
}

/** Names of the site, by its own node and by the publisher's. */
function siteNames(node: Node, { top, byId }: Graph): string[] | undefined {
  const sites = top.filter((one) => typeNames(one['@type']).includes('WebSite'));
  const { publisher } = node;
  const known = isRecord(publisher) && publisher.name === undefined ? byId.get(String(publisher['@id'])) : publisher;
  return names(
    [...sites, ...(isRecord(known) ? [known] : [])].map(({ name }) => text(first(name))),
    5,
  );
}

/**
 * One post is the page's own, whatever it calls itself; of several, the one that names the page, or that name no other.
 */
function chosen(posts: readonly Node[], context: JsonLdContext): Node | undefined {
  if (posts.length < 2) return posts[0];
  return named(posts, context) ?? posts.find((post) => addressesOf(post, context.base).length === 0);
}

const named = (posts: readonly Node[], { base, addresses }: JsonLdContext): Node | undefined =>
  posts.find((post) => addressesOf(post, base).some((address) => addresses.has(address)));

function addressesOf(node: Node, base: string): string[] {
  const main = first(node.mainEntityOfPage);
  return [first(node.url), isRecord(main) ? first(main['@id'] ?? main.url) : main]
    .flatMap((address) => webUrl(address, base) ?? [])
    .map(withoutFragment);
}

export const withoutFragment = (url: string): string => url.replace(/#.*$/, '');

function describe(node: Node, graph: Graph, { base, language }: JsonLdContext): Finding {
  const thumb = image(node.thumbnailUrl, graph, base);
  return finding({
    url: webUrl(first(node.url), base) ?? addressesOf(node, base)[0],
    pageType: 'post',
    title: text(first(node.headline)) ?? text(first(node.name)),
    siteNames: siteNames(node, graph),
    imageUrl: thumb ?? image(node.image, graph, base),
    pubDate: firstMoment(
      [...list(node.datePublished), ...list(node.dateCreated)],
      languageTag(textOf(first(node.inLanguage))) ?? language,
    ),
    section: list(node.articleSection).map(text).find(Boolean),
    authors: people(node.creator, graph) ?? people(node.author, graph),
    tags: names(list(node.keywords).flatMap(keyword), MAX_TAGS),
    language: languageTag(textOf(first(node.inLanguage))),
    text: bodyOf(node),
  });
}

/** Text as it stands in the JSON; many systems write it with HTML's escapes. */
function text(value: unknown): string | undefined {
  return line(typeof value === 'string' ? decodeHTML(value.slice(0, 10_000)) : value);
}

function bodyOf(node: Node): string | undefined {
  const body = first(node.articleBody);
  return typeof body === 'string' ? cleanText(decodeHTML(body.slice(0, MAX_TEXT)), MAX_TEXT) || undefined : undefined;
}

function keyword(value: unknown): unknown[] {
  if (typeof value === 'string') return commaSeparated(decodeHTML(value.slice(0, 20_000)));
  return isRecord(value) ? [text(first(value.name)) ?? text(value.termCode)] : [];
}

/** Names of persons and organisations, given as text, as nodes, or as references to nodes elsewhere in the graph. */
function people(value: unknown, graph: Graph): string[] | undefined {
  return names(
    list(value).flatMap((one) => {
      if (!isRecord(one)) return [text(one)];
      const known = one.name === undefined ? graph.byId.get(String(one['@id'])) : one;
      return list(known?.name).map(text);
    }),
    MAX_AUTHORS,
  );
}

function image(value: unknown, graph: Graph, base: string): string | undefined {
  for (const one of list(value)) {
    const node = isRecord(one)
      ? one.url === undefined
        ? (graph.byId.get(String(one['@id'])) ?? one)
        : one
      : undefined;
    const address = webUrl(node ? first(node.url ?? node.contentUrl) : one, base);
    if (address !== undefined) return address;
  }
  return undefined;
}

/**
 * The first of the breadcrumbs that is neither the front page nor this page.
 * @see https://developers.google.com/search/docs/appearance/structured-data/breadcrumb
 */
function sectionOfTrail(top: readonly Node[], { base, addresses }: JsonLdContext): string | undefined {
  const trails = [...top, ...top.map(({ breadcrumb }) => first(breadcrumb))].filter(isRecord);
  const trail = trails.find((node) => typeNames(node['@type']).includes('BreadcrumbList'));
  const crumbs = list(trail?.itemListElement)
    .filter(isRecord)
    .map((crumb) => toCrumb(crumb, base))
    .sort((one, other) => one.position - other.position);
  // The last one is this page, with its address or without, unless it leads to another one.
  const last = crumbs.at(-1);
  if (last && (last.url === undefined || addresses.has(last.url))) crumbs.pop();
  const isFront = (url: string | undefined) => url !== undefined && new URL(url).pathname === '/';
  const section = crumbs.find(({ url }) => !isFront(url) && !addresses.has(url ?? ''));
  return section?.name;
}

function toCrumb(crumb: Node, base: string): { name: string | undefined; url: string | undefined; position: number } {
  const item = first(crumb.item);
  const node: Node = isRecord(item) ? item : {};
  const url = webUrl(isRecord(item) ? first(node['@id'] ?? node.url) : item, base);
  const name = text(first(crumb.name) ?? first(node.name));
  return { name, url: url && withoutFragment(url), position: Number(first(crumb.position)) || 0 };
}

const textOf = (value: unknown): unknown => (isRecord(value) ? (value.alternateName ?? value.name) : value);

const list = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value.slice(0, 1_000) : [value];

const first = (value: unknown): unknown => list(value)[0];
