// The `parsely-*` meta tags, and the older `parsely-page` tag whose content is JSON. Publishers who write them mean
// them: the strongest word on a page.
import { MAX_TAGS } from '../../contract/limits.ts';
import { isRecord } from '../../isRecord.ts';
import { parseJson } from '../parseJson.ts';
import { commaSeparated, jsonObject, languageTag, line, moment, names, webUrl } from './clean.ts';
import { type Finding, finding, MAX_AUTHORS } from './finding.ts';
import { contents } from './plainHtml.ts';
import { parselyType } from './postTypes.ts';
import type { Markup } from './scanMarkup.ts';

const MAX_CUSTOM = 50_000;

export function readParselyMeta(markup: Markup, base: string): Finding {
  const all = (name: string) => contents(markup, `parsely-${name}`);
  return finding({
    url: webUrl(all('link')[0], base),
    pageType: parselyType(line(all('type')[0])),
    title: line(all('title')[0]),
    imageUrl: webUrl(all('image-url')[0], base),
    pubDate: moment(all('pub-date')[0], languageTag(markup.language)),
    section: line(all('section')[0]),
    authors: names(all('author'), MAX_AUTHORS),
    tags: names(all('tags').flatMap(commaSeparated), MAX_TAGS),
    postId: line(all('post-id')[0]),
    metadata: jsonObject(all('metadata')[0], MAX_CUSTOM),
  });
}

/**
 * `{"title", "link", "type", "image_url", "pub_date", "section", "author" | "authors", "tags", "post_id", "metadata"}`.
 */
export function readParselyPage(markup: Markup, base: string, note: (text: string) => void): Finding {
  const [content] = contents(markup, 'parsely-page');
  if (content === undefined) return {};
  const page = parseJson(content);
  if (!isRecord(page)) {
    note('The parsely-page tag holds no JSON object; it is passed over.');
    return {};
  }
  return finding({
    url: webUrl(page.link, base),
    pageType: parselyType(line(page.type)),
    title: line(page.title),
    imageUrl: webUrl(page.image_url, base),
    pubDate: moment(page.pub_date, languageTag(markup.language)),
    section: line(page.section),
    authors: names(listOf(page.authors ?? page.author), MAX_AUTHORS),
    tags: names(typeof page.tags === 'string' ? commaSeparated(page.tags) : listOf(page.tags), MAX_TAGS),
    postId: line(page.post_id),
    metadata: jsonObject(page.metadata, MAX_CUSTOM),
  });
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
