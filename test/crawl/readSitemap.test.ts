// Sitemaps and feeds as they are written, and as they are made to do harm: fetched over loopback, read in this process.
import { constants, createGzip, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../server/crawl/address.ts';
import { CrawlError } from '../../server/crawl/failure.ts';
import { createRobots } from '../../server/crawl/robots.ts';
import { MAX_SITEMAP_BYTES, readSitemap } from '../../server/crawl/sitemaps/readSitemap.ts';
import { MAX_ENTRIES, SitemapError } from '../../server/crawl/sitemaps/sitemapFile.ts';
import { type ArchiveFile, type ArchiveSite, openArchiveSite, sitemapIndex, urlSet, XML } from './archiveSite.ts';
import { loopbackRules, loopbackSite } from './support.ts';

let web: ArchiveSite;
let origin = '';
beforeAll(async () => {
  web = await openArchiveSite();
  origin = web.origins[0]!;
});
beforeEach(() => web.files.clear());
afterAll(() => web.close());

const rulesOf = (rules: typeof loopbackRules) => ({
  rules,
  robots: createRobots({ rules, agent: 'AfterwordBot', clock: () => 0 }).of(loopbackSite),
});

function read(body: string | Buffer, file: Omit<ArchiveFile, 'body'> = {}) {
  web.files.set('/list', { body, type: XML, ...file });
  return readSitemap(loopbackSite, `${origin}/list`, rulesOf(loopbackRules));
}

const at = (text: string) => Date.parse(text);
const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('It was read.')),
    (error: Error) => error,
  );

describe('the format', () => {
  test('a sitemap: addresses, dates, and nothing of pictures, videos and other languages', async () => {
    const { format, entries } =
      await read(`<?xml version="1.0"?><urlset xmlns:image="i" xmlns:video="v" xmlns:xhtml="x">
      <url><image:image><image:loc>${origin}/a.jpg</image:loc><image:title>No</image:title></image:image>
        <loc> ${origin}/a?x=1&amp;y=2&amp;utm_source=sitemap </loc><lastmod>2024-05-07T09:30:00+02:00</lastmod>
        <video:video><video:title>No</video:title><video:publication_date>2020-01-01</video:publication_date></video:video>
        <xhtml:link rel="alternate" hreflang="de" href="${origin}/de"/></url>
      <url><loc><![CDATA[${origin}/b#top]]></loc><lastmod>yesterday</lastmod></url></urlset>`);
    expect(format).toBe('sitemap');
    expect(entries).toEqual([
      { url: `${origin}/a?x=1&y=2`, changed: at('2024-05-07T07:30:00Z'), title: '' },
      { url: `${origin}/b`, changed: null, title: '' },
    ]);
  });

  test('a news sitemap: date of publication and title', async () => {
    const { entries } = await read(`<s:urlset xmlns:s="s" xmlns:news="n"><s:url><s:loc>${origin}/n</s:loc><news:news>
      <news:publication><news:name>Paper</news:name></news:publication>
      <news:publication_date>2024-05-07</news:publication_date><news:title>Salt &amp; vinegar</news:title></news:news></s:url></s:urlset>`);
    expect(entries).toEqual([{ url: `${origin}/n`, changed: at('2024-05-07'), title: 'Salt & vinegar' }]);
  });

  test('an index: its files, with every parameter of their addresses', async () => {
    const { format, entries } = await read(sitemapIndex([`${origin}/s?utm_source=1&amp;page=2`]));
    expect({ format, entries }).toEqual({
      format: 'sitemap index',
      entries: [{ url: `${origin}/s?utm_source=1&page=2`, changed: null, title: '' }],
    });
  });

  test('plain text, with any line ends and a byte-order mark', async () => {
    const { format, entries } = await read(`\ufeff${origin}/a\r\n\r\n${origin}/b\n`, { type: 'text/plain' });
    expect(format).toBe('text');
    expect(entries.map(({ url }) => url)).toEqual([`${origin}/a`, `${origin}/b`]);
  });

  test('RSS: the address behind a counter, and an id that is an address', async () => {
    const { format, entries } = await read(`<rss version="2.0" xmlns:atom="a" xmlns:feedburner="f"><channel>
      <title>All</title><link>${origin}/</link><atom:link rel="self" href="${origin}/list"/>
      <item><title>A</title><link>${origin}/count/1</link><feedburner:origLink>${origin}/a</feedburner:origLink><pubDate>Tue, 07 May 2024 09:30:00 +0200</pubDate></item>
      <item><title>B</title><guid>${origin}/b</guid></item>
      <item><title>C</title><guid isPermaLink="false">${origin}/c</guid></item></channel></rss>`);
    expect(format).toBe('RSS');
    expect(entries).toEqual([
      { url: `${origin}/a`, changed: at('2024-05-07T07:30:00Z'), title: 'A' },
      { url: `${origin}/b`, changed: null, title: 'B' },
    ]);
  });

  test('Atom: the page among the links, relative or not', async () => {
    const { format, entries } = await read(`<feed><title>All</title><link href="/"/><entry><title>A</title>
      <link rel="enclosure" href="/a.mp3"/><link rel="alternate" type="application/json" href="/a.json"/><link type="text/html" href="/a"/>
      <published>2024-01-01T00:00:00Z</published><updated>2024-05-07T00:00:00Z</updated></entry></feed>`);
    expect({ format, entries }).toEqual({
      format: 'Atom',
      entries: [{ url: `${origin}/a`, changed: at('2024-05-07'), title: 'A' }],
    });
  });

  test('JSON Feed', async () => {
    const items = [
      { id: '1', url: '/a', title: 'A', date_published: '2024-05-07T00:00:00Z' },
      { id: `${origin}/b` },
      7,
    ];
    const { format, entries } = await read(JSON.stringify({ version: 'https://jsonfeed.org/version/1', items }));
    expect(format).toBe('JSON Feed');
    expect(entries).toEqual([
      { url: `${origin}/a`, changed: at('2024-05-07'), title: 'A' },
      { url: `${origin}/b`, changed: null, title: '' },
    ]);
  });
});

describe('the encoding', () => {
  const text = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><rss><channel><item><title>Zürich</title><link>${origin}/zürich</link></item></channel></rss>`;
  test.each([
    ['UTF-8', Buffer.from(text('UTF-8')), {}],
    ['Latin-1, as the declaration says', Buffer.from(text('ISO-8859-1'), 'latin1'), {}],
    ['Latin-1, as the header says', Buffer.from(text('UTF-8'), 'latin1'), { type: 'text/xml; charset=iso-8859-1' }],
    ['UTF-16, little-endian, with a mark', Buffer.from(`\ufeff${text('UTF-16')}`, 'utf16le'), {}],
    ['UTF-16, big-endian, with a mark', Buffer.from(`\ufeff${text('UTF-16')}`, 'utf16le').swap16(), {}],
    ['UTF-16 without a mark', Buffer.from(text('UTF-16'), 'utf16le'), {}],
    ['UTF-16, packed', gzipSync(Buffer.from(`\ufeff${text('UTF-16')}`, 'utf16le')), {}],
  ])('%s', async (_, bytes, file) => {
    expect((await read(bytes, file)).entries).toEqual([
      { url: `${origin}/z%C3%BCrich`, changed: null, title: 'Zürich' },
    ]);
  });
});

describe('what is no sitemap is refused in a sentence', () => {
  test.each<[string, string | Buffer, Omit<ArchiveFile, 'body'>, string]>([
    ['HTML', '<!doctype html><html><title>404</title>', {}, 'it is an HTML page'],
    ['HTML without a doctype', '<html lang="en"><body>', {}, 'it is an HTML page'],
    ['other XML', '<opml><body/></opml>', {}, 'its root is <opml>'],
    ['XML named like a property of every object', '<constructor/>', {}, 'its root is <constructor>'],
    ['JSON', '{"name":"app"}', {}, 'it is JSON, but no JSON Feed'],
    ['broken JSON', '{"items":[', {}, 'it is JSON, but no JSON Feed'],
    ['prose', 'Not found', {}, 'it is neither XML, nor a JSON Feed, nor a list of addresses'],
    ['nothing', '', {}, 'it is empty'],
    ['a declaration only', '<?xml version="1.0"?>', {}, 'it has no XML element'],
    ['an unknown encoding', Buffer.from('<rss/>'), { type: 'text/xml; charset=iso-2022-kr' }, 'its encoding'],
    ['a page that is not there', '', { status: 404 }, 'answers 404: there is no sitemap and no feed to read.'],
    ['an error', '', { status: 500 }, 'answers 500'],
  ])('%s', async (_, body, file, sentence) => {
    const error = await failure(read(body, file));
    expect(error).toBeInstanceOf(SitemapError);
    expect(error.message).toContain(`${origin}/list`);
    expect(error.message).toContain(sentence);
  });
});

describe('a sitemap made to do harm', () => {
  test('entities that multiply are not expanded: a document that declares any is refused', async () => {
    const levels = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
    const bomb = `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY l0 "lol">${levels}]><urlset><url><loc>${origin}/&l10;</loc></url></urlset>`;
    expect((await failure(read(bomb))).message).toContain('it declares entities');
    const outside = `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>${origin}/&x;</loc></url></urlset>`;
    expect((await failure(read(outside))).message).toContain('it declares entities');
    const behind = `<!DOCTYPE r [<!ELEMENT r ANY><!ENTITY x "y">]><urlset><url><loc>${origin}/&x;</loc></url></urlset>`;
    expect((await failure(read(behind))).message).toContain('it declares entities');
    const undeclared = await read(
      `<!DOCTYPE rss SYSTEM "${origin}/rss.dtd"><urlset><url><loc>${origin}/&x;</loc></url></urlset>`,
    );
    expect(undeclared.entries).toEqual([{ url: `${origin}/&x;`, changed: null, title: '' }]);
    expect(web.asked).not.toContain('/rss.dtd');
  });

  test('a few kilobytes that unfold to gigabytes are read to the bound of a sitemap', async () => {
    const packed = await gzipOf(urlSet([`${origin}/a`]).replace('</urlset>', ''), 400);
    expect(packed.length).toBeLessThan(1_000_000);
    const { entries, bytes, notes } = await read(packed, { type: 'application/gzip' });
    expect({ entries: entries.length, bytes, notes }).toEqual({
      entries: 1,
      bytes: MAX_SITEMAP_BYTES,
      notes: ['Only its first 50 MiB were read.'],
    });
    const sent = await read(packed, { headers: { 'Content-Encoding': 'gzip' } });
    expect(sent.bytes).toBe(MAX_SITEMAP_BYTES);
  });

  test('fifty megabytes of entries are read up to a number, and the event loop continues meanwhile', async () => {
    const one = `<url><loc>${origin}/a-rather-long-address-of-an-article-in-the-archive/NUMBER</loc><lastmod>2024-05-07</lastmod></url>\n`;
    const rows = Array.from({ length: MAX_ENTRIES + 50_000 }, (_, number) => one.replace('NUMBER', String(number)));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const { entries, notes } = await read(`<urlset>${rows.join('')}${' '.repeat(MAX_SITEMAP_BYTES)}`);
    clearInterval(timer);
    expect(entries).toHaveLength(MAX_ENTRIES);
    expect(notes).toEqual(['Only its first 50 MiB were read.', 'Only its first 50,000 entries were read.']);
    expect(turns).toBeGreaterThan(20);
  });

  test.each<[string, string, string]>([
    ['elements without end in one another', `<urlset>${'<url>'.repeat(1_000_000)}`, 'nested more than 64 deep'],
    [
      'attributes without end',
      `<urlset><url ${Array.from({ length: 200_000 }, (_, n) => `a${n}="1"`).join(' ')}></url></urlset>`,
      'more than 200 attributes',
    ],
    ['a line without end', `${'http://127.0.0.1/'.repeat(200_000)}`, 'longer than 100000 characters'],
    ['brackets without end', `{"items":${'['.repeat(1_000_000)}`, 'it is JSON, but no JSON Feed'],
    ['JSON without end', `{"items":["${'a'.repeat(6_000_000)}"]}`, 'it is JSON of more than'],
  ])('%s', async (_, body, sentence) => {
    expect((await failure(read(body))).message).toContain(sentence);
  });

  test.each([
    ['an address without end', `<urlset><url><loc>${origin}/${'a'.repeat(5_000_000)}</loc></url></urlset>`],
    ['a comment without end', `<urlset><!-- ${'- '.repeat(5_000_000)}`],
    ['an open tag without end', `<urlset><url ${'a'.repeat(5_000_000)}`],
  ])('%s lists nothing', async (_, body) => {
    expect((await read(body)).entries).toEqual([]);
  });

  test('pages of other hosts, and what is no web address, are counted and left out', async () => {
    const others = [
      'https://elsewhere.example/a',
      'http://127.0.0.1.evil.example/',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'http://',
    ];
    const { entries, foreign, malformed } = await read(urlSet([...others, `${origin}/a`]));
    expect({ entries: entries.length, foreign, malformed }).toEqual({ entries: 1, foreign: 2, malformed: 3 });
  });

  test('a redirect to another host, and a sitemap on a private address, are refused before anything is sent there', async () => {
    const away = await failure(read('', { status: 302, headers: { Location: 'http://elsewhere.example/s.xml' } }));
    expect(away).toMatchObject({ failure: 'foreign-host' });
    const before = web.asked.length;
    const guarded = rulesOf({ ...loopbackRules, allows: isPublicAddress });
    const inside = await failure(readSitemap(loopbackSite, `${origin}/list`, guarded));
    expect(inside).toBeInstanceOf(CrawlError);
    expect(inside).toMatchObject({ failure: 'private-address' });
    expect(web.asked).toHaveLength(before);
  });

  test('a redirect of a public host to a private address is refused, too', async () => {
    let left = 2;
    const once = rulesOf({ ...loopbackRules, allows: (address) => isPublicAddress(address) || left-- > 0 });
    web.files.set('/list', { body: '', status: 301, headers: { Location: `${origin}/inside.xml` } });
    web.files.set('/inside.xml', { body: urlSet([`${origin}/a`]), type: XML });
    expect(await failure(readSitemap(loopbackSite, `${origin}/list`, once))).toMatchObject({
      failure: 'private-address',
    });
    expect(web.asked).not.toContain('/inside.xml');
  });

  test('a sitemap that robots.txt closes is not read', async () => {
    web.files.set('/robots.txt', { body: 'User-agent: *\nDisallow: /list', type: 'text/plain' });
    expect(await failure(read(urlSet([`${origin}/a`])))).toMatchObject({ failure: 'robots' });
  });
});

/** A text, and megabytes of blanks after it. */
async function gzipOf(text: string, megabytes: number): Promise<Buffer> {
  const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION });
  const parts: Buffer[] = [];
  gzip.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise<void>((done) => gzip.once('end', done));
  gzip.write(text);
  const blanks = Buffer.alloc(1024 * 1024, ' ');
  for (let written = 0; written < megabytes; written++)
    if (!gzip.write(blanks)) await new Promise<void>((done) => gzip.once('drain', done));
  gzip.end();
  await ended;
  return Buffer.concat(parts);
}
