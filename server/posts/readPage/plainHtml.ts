// What a page without any metadata still says: title, headings, classic meta names, time and author marks. The weakest
// word.
import { MAX_TAGS } from '../../contract/limits.ts';
import { commaSeparated, languageTag, line, moment, names, webUrl } from './clean.ts';
import { type Finding, finding, MAX_AUTHORS } from './finding.ts';
import type { Markup } from './scanMarkup.ts';

const DATE_NAMES = [
  'datepublished',
  'date',
  'pubdate',
  'publishdate',
  'publish-date',
  'publication_date',
  'dc.date.issued',
  'dc.date',
  'dcterms.issued',
  'dcterms.created',
  'citation_publication_date',
  'sailthru.date',
];

export function readPlainHtml(markup: Markup, base: string): Finding {
  const meta = (...wanted: string[]) => wanted.flatMap((name) => contents(markup, name));
  const times = markup.times.filter(({ within }) => within !== 'aside');
  return finding({
    url: webUrl(linked(markup, 'canonical'), base),
    title: titleOf(markup),
    imageUrl: webUrl(linked(markup, 'image_src') ?? meta('thumbnail', 'image')[0], base),
    pubDate: firstMoment(
      [
        ...times.filter(({ marked }) => marked).map(({ datetime }) => datetime),
        ...meta(...DATE_NAMES),
        // The first of the page may be today's date, in its masthead.
        (times.find(({ within }) => within === 'article') ?? times[0])?.datetime,
      ],
      languageTag(markup.language),
    ),
    section: line(meta('section', 'article:section_name')[0]),
    authors: names([...meta('author', 'dc.creator', 'byl').map(withoutBy), ...bylines(markup)], MAX_AUTHORS),
    tags: names(meta('keywords', 'news_keywords').flatMap(commaSeparated), MAX_TAGS),
    language: languageTag(markup.language) ?? languageTag(meta('content-language', 'language', 'dc.language')[0]),
  });
}

export function contents(markup: Markup, name: string): string[] {
  return markup.metas.filter((meta) => meta.name === name).map(({ content }) => content);
}

const FEED = /^(?:application\/(?:rss\+xml|atom\+xml|feed\+json)|text\/xml)/;
const MAX_FEEDS = 20;

/** Feeds that `<link rel="alternate">` names. */
export function readFeeds({ links }: Markup, base: string): string[] {
  const feeds = links.filter(({ rel, type }) => rel.includes('alternate') && FEED.test(type));
  return feeds.flatMap(({ href }) => webUrl(href, base) ?? []).slice(0, MAX_FEEDS);
}

function linked({ links }: Markup, rel: string): string | undefined {
  return links.find((link) => link.rel.includes(rel))?.href;
}

/** @param language Of the page. */
export function firstMoment(values: readonly unknown[], language: string | undefined): number | undefined {
  for (const value of values) {
    const time = moment(value, language);
    if (time !== undefined) return time;
  }
  return undefined;
}

/** The title, or the only heading where the title is that and the site's name. */
function titleOf({ title, headings }: Markup): string | undefined {
  const whole = line(title);
  const heading = headings.length === 1 ? line(headings[0]) : undefined;
  if (heading === undefined || whole === undefined) return whole ?? heading;
  return whole.includes(heading) ? heading : whole;
}

/** Names marked in the text are used only where no meta tag has them. */
function bylines(markup: Markup): string[] {
  return contents(markup, 'author').length > 0 ? [] : markup.bylines.map(withoutBy);
}

const withoutBy = (text: string) => text.replace(/^\s*by[\s:]+/i, '');
