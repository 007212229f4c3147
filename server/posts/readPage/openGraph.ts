// OpenGraph and Twitter's cards. @see https://ogp.me/
import { MAX_TAGS } from '../../contract/limits.ts';
import { languageTag, line, names, webUrl } from './clean.ts';
import { type Finding, finding, MAX_AUTHORS } from './finding.ts';
import { contents, firstMoment } from './plainHtml.ts';
import type { Markup } from './scanMarkup.ts';

export function readOpenGraph(markup: Markup, base: string): Finding {
  const meta = (...wanted: string[]) => wanted.flatMap((name) => contents(markup, name));
  const image = meta('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src')
    .map((address) => webUrl(address, base))
    .find((address) => address !== undefined);
  return finding({
    url: webUrl(meta('og:url')[0], base),
    pageType: typeOf(line(meta('og:type')[0]), meta('article:published_time').length > 0),
    title: line(meta('og:title', 'twitter:title')[0]),
    siteNames: names(meta('og:site_name', 'application-name'), 2),
    imageUrl: image,
    pubDate: firstMoment(
      meta('article:published_time', 'og:article:published_time', 'article:published'),
      languageTag(markup.language),
    ),
    section: line(meta('article:section')[0]),
    // The specification wants profile addresses here, many pages put names: an address is no name.
    authors: names(
      meta('article:author', 'article:author:name').filter((author) => !/^(?:https?:)?\/\//i.test(author.trim())),
      MAX_AUTHORS,
    ),
    tags: names(meta('article:tag'), MAX_TAGS),
    language: languageTag(meta('og:locale')[0]),
  });
}

function typeOf(type: string | undefined, published: boolean): Finding['pageType'] {
  if (type === undefined) return published ? 'post' : undefined;
  return published || /^(?:article|blog|news)\b/i.test(type) ? 'post' : 'other';
}
