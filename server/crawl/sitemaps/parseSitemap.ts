// Text of a sitemap or a feed to what it lists. The format is detected from the text: the types that servers name are
// unreliable.
import { inDigits } from '../../counted.ts';
import { isRecord } from '../../isRecord.ts';
import { isWithin } from '../../posts/jsonBounds.ts';
import { parseJson } from '../../posts/parseJson.ts';
import { line, moment } from '../../posts/readPage/clean.ts';
import { MAX_ENTRIES, type SitemapEntry, SitemapError, type SitemapFile } from './sitemapFile.ts';
import { createXmlReader } from './xmlEntries.ts';

/** A JSON Feed is parsed in one piece, and the event loop waits for it: feeds hold the newest few dozen posts. */
const MAX_JSON = 5 * 1024 * 1024;
const JSON_BOUNDS = { depth: 32, values: 500_000 };
/** Characters of a line of addresses. */
const MAX_LINE = 100_000;

/**
 * @param pieces The text, in pieces: the reader may yield to the event loop between two.
 * @throws {SitemapError}
 */
export async function parseSitemap(pieces: AsyncIterable<string>): Promise<SitemapFile> {
  const { start, rest } = await withStart(pieces);
  if (start.startsWith('<')) return await readXml(rest);
  if (start.startsWith('{')) return await readJsonFeed(rest);
  return await readLines(rest);
}

/** @returns What the text begins with, blanks left out, and all of it from there on. */
async function withStart(pieces: AsyncIterable<string>): Promise<{ start: string; rest: AsyncIterable<string> }> {
  const iterator = pieces[Symbol.asyncIterator]();
  let start = '';
  while (start === '') {
    const next = await iterator.next();
    if (next.done === true) throw new SitemapError('it is empty');
    start = next.value.trimStart();
  }
  async function* rest(): AsyncIterable<string> {
    yield start;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { start, rest: rest() };
}

async function readXml(pieces: AsyncIterable<string>): Promise<SitemapFile> {
  const reader = createXmlReader();
  for await (const piece of pieces) reader.write(piece);
  return withNotes(reader.end());
}

async function readLines(pieces: AsyncIterable<string>): Promise<SitemapFile> {
  const entries: SitemapEntry[] = [];
  let last = '';
  const take = (row: string) => {
    const url = row.trim();
    if (url === '' || entries.length > MAX_ENTRIES) return;
    if (entries.length === 0 && !/^https?:\/\//i.test(url))
      throw new SitemapError('it is neither XML, nor a JSON Feed, nor a list of addresses');
    entries.push({ url, changed: null, title: '' });
  };
  for await (const piece of pieces) {
    const rows = `${last}${piece}`.split(/\r\n?|\n/);
    last = rows.pop() ?? '';
    // A line that never ends is no address, and must not be copied with every piece.
    if (last.length > MAX_LINE) throw new SitemapError(`a line of it is longer than ${MAX_LINE} characters`);
    for (const row of rows) take(row);
  }
  take(last);
  return withNotes({ format: 'text', entries });
}

async function readJsonFeed(pieces: AsyncIterable<string>): Promise<SitemapFile> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length > MAX_JSON) throw new SitemapError(`it is JSON of more than ${MAX_JSON} characters`);
  }
  const feed = isWithin(text, JSON_BOUNDS) ? parseJson(text) : undefined;
  if (!isRecord(feed) || !Array.isArray(feed.items)) throw new SitemapError('it is JSON, but no JSON Feed');
  const entries = feed.items.slice(0, MAX_ENTRIES + 1).flatMap(jsonEntry);
  return withNotes({ format: 'JSON Feed', entries });
}

function jsonEntry(item: unknown): SitemapEntry[] {
  if (!isRecord(item)) return [];
  // Version 1 feeds often have nothing but an id that is the address.
  const url = [item.url, item.id].find((value) => typeof value === 'string' && value.trim() !== '');
  if (typeof url !== 'string') return [];
  const changed = moment(item.date_modified) ?? moment(item.date_published) ?? null;
  return [{ url: url.trim(), changed, title: line(item.title, 300) ?? '' }];
}

/** One entry beyond the bound is collected, which distinguishes a file that is cut from one that is full. */
function withNotes({ format, entries }: Omit<SitemapFile, 'notes'>): SitemapFile {
  if (entries.length <= MAX_ENTRIES) return { format, entries, notes: [] };
  const note = `Only its first ${inDigits(MAX_ENTRIES)} entries were read.`;
  return { format, entries: entries.slice(0, MAX_ENTRIES), notes: [note] };
}
