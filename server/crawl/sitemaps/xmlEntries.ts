// Entries of XML sitemaps, sitemap indexes, RSS and Atom, read in one pass. Nothing is expanded but the five entities
// of XML and character references; a document that declares entities of its own is refused.
import { Parser } from 'htmlparser2';
import { MAX_URL_LENGTH } from '../../contract/limits.ts';
import { line, moment } from '../../posts/readPage/clean.ts';
import { MAX_ENTRIES, type SitemapEntry, SitemapError, type SitemapFile, type SitemapFormat } from './sitemapFile.ts';

export interface XmlReader {
  /** @throws {SitemapError} for what is no sitemap and no feed. */
  write(text: string): void;
  /** @throws {SitemapError} where the text held no element. */
  end(): Omit<SitemapFile, 'notes'>;
}

/** Root element, without its prefix → format, and the element that holds one entry. */
const ROOTS = new Map<string, { format: SitemapFormat; item: string }>([
  ['urlset', { format: 'sitemap', item: 'url' }],
  ['sitemapindex', { format: 'sitemap index', item: 'sitemap' }],
  ['rss', { format: 'RSS', item: 'item' }],
  // RSS 1.0
  ['rdf', { format: 'RSS', item: 'item' }],
  ['feed', { format: 'Atom', item: 'entry' }],
]);

/** The parser's work grows with the square of the nesting; formats of this kind nest five deep. */
const MAX_DEPTH = 64;
/** Attributes of one element: the parser keeps them all. */
const MAX_ATTRIBUTES = 200;
/** Characters kept of a field: tracking parameters may make an address longer than a page's. */
const MAX_FIELD = 4 * MAX_URL_LENGTH;

const HTML = 'it is an HTML page';

export function createXmlReader(): XmlReader {
  const reader = new EntryReader();
  const parser = new Parser(reader, { xmlMode: true, decodeEntities: true });
  return {
    write: (text) => parser.write(text),
    end() {
      parser.end();
      return reader.result();
    },
  };
}

type Field = 'loc' | 'lastmod' | 'published' | 'link' | 'original' | 'guid' | 'title';

class EntryReader {
  private readonly entries: SitemapEntry[] = [];
  private format: SitemapFormat | undefined;
  private item = '';
  /** Names of the open elements, outermost first. */
  private readonly path: string[] = [];
  /** Depth of the open entry; 0: none is open. */
  private itemDepth = 0;
  private fields: Partial<Record<Field, string>> = {};
  /** The field whose text is being read. */
  private field: Field | undefined;
  private fieldDepth = 0;
  private attributes = 0;

  onprocessinginstruction(name: string, data: string): void {
    if (/^!doctype\s+html\b/i.test(data)) throw new SitemapError(HTML);
    // The parser takes a declaration to end at its first ">": the next one of a subset comes by itself.
    const declares = name.toLowerCase() === '!doctype' && /<!entity/i.test(data);
    if (declares || name.toLowerCase() === '!entity')
      throw new SitemapError('it declares entities, which no sitemap and no feed needs: it is not read');
  }

  onopentagname(): void {
    this.attributes = 0;
  }

  onattribute(): void {
    this.attributes += 1;
    if (this.attributes > MAX_ATTRIBUTES)
      throw new SitemapError(`an element of it has more than ${MAX_ATTRIBUTES} attributes`);
  }

  onopentag(tag: string, attributes: Record<string, string>): void {
    const name = tag.toLowerCase();
    this.path.push(name);
    const depth = this.path.length;
    if (depth > MAX_DEPTH) throw new SitemapError(`its elements are nested more than ${MAX_DEPTH} deep`);
    if (depth === 1) this.begin(name);
    else if (this.itemDepth === 0 && local(name) === this.item) this.open(depth);
    else if (this.itemDepth > 0 && this.field === undefined) this.look(name, depth, attributes);
  }

  ontext(text: string): void {
    const { field } = this;
    if (field === undefined) return;
    const before = this.fields[field] ?? '';
    if (before.length < MAX_FIELD) this.fields[field] = before + text.slice(0, MAX_FIELD);
  }

  onclosetag(): void {
    const depth = this.path.length;
    if (this.field !== undefined && depth === this.fieldDepth) this.field = undefined;
    if (this.itemDepth > 0 && depth === this.itemDepth) this.close();
    this.path.pop();
  }

  result(): { format: SitemapFormat; entries: SitemapEntry[] } {
    if (this.format === undefined) throw new SitemapError('it has no XML element');
    return { format: this.format, entries: this.entries };
  }

  private begin(name: string): void {
    const root = ROOTS.get(local(name));
    if (root === undefined)
      throw new SitemapError(local(name) === 'html' ? HTML : `its root is <${line(name.slice(0, 60)) ?? ''}>`);
    this.format = root.format;
    this.item = root.item;
  }

  private open(depth: number): void {
    this.itemDepth = depth;
    this.fields = {};
  }

  private look(name: string, depth: number, attributes: Record<string, string>): void {
    const field =
      this.format === 'Atom' ? this.atomField(name, depth, attributes) : this.fieldOf(name, depth, attributes);
    // The first one counts.
    if (field === undefined || this.fields[field] !== undefined) return;
    this.fields[field] = '';
    this.field = field;
    this.fieldDepth = depth;
  }

  /**
   * A page's pictures and videos have addresses and titles too: only the entry's own and those of its `news:news`
   * count.
   */
  private fieldOf(name: string, depth: number, attributes: Record<string, string>): Field | undefined {
    const isOwn = depth === this.itemDepth + 1;
    const isNews = depth === this.itemDepth + 2 && local(this.path[depth - 2] ?? '') === 'news';
    if (!isOwn && !isNews) return undefined;
    if (this.format === 'RSS') return isOwn ? rssField(name, attributes) : undefined;
    switch (local(name)) {
      case 'loc':
      case 'lastmod':
        return isOwn ? (local(name) as Field) : undefined;
      case 'publication_date':
        return 'published';
      case 'title':
        return isNews ? 'title' : undefined;
      default:
        return undefined;
    }
  }

  private atomField(name: string, depth: number, { rel, href, type }: Record<string, string>): Field | undefined {
    if (depth !== this.itemDepth + 1) return undefined;
    switch (local(name)) {
      case 'link':
        if (href !== undefined && (rel ?? 'alternate') === 'alternate') {
          const isPage = type === undefined || type.includes('html');
          if (isPage || this.fields.link === undefined) this.fields.link = href.slice(0, MAX_FIELD);
        }
        return undefined;
      case 'updated':
        return 'lastmod';
      case 'published':
        return 'published';
      case 'title':
        return 'title';
      case 'origlink':
        return 'original';
      default:
        return undefined;
    }
  }

  private close(): void {
    const { loc, original, link, guid, lastmod, published, title } = this.fields;
    const url = [loc, original, link, guid].map((text) => text?.trim()).find((text) => text);
    this.itemDepth = 0;
    if (url !== undefined && this.entries.length <= MAX_ENTRIES)
      this.entries.push({ url, changed: moment(lastmod) ?? moment(published) ?? null, title: line(title, 300) ?? '' });
  }
}

function rssField(name: string, attributes: Record<string, string>): Field | undefined {
  switch (name) {
    case 'link':
    case 'title':
      return name;
    case 'pubdate':
    case 'dc:date':
      return 'published';
    case 'feedburner:origlink':
      return 'original';
    case 'guid':
      return attributes.isPermaLink === 'false' ? undefined : 'guid';
    default:
      return undefined;
  }
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);
