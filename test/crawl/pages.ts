// The folder of pages as they occur in the wild, served on loopback: each `.html` with what a crawl must make of it beside it.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { PageRecord } from '../../server/posts/readPage/readPage.ts';

const folder = fileURLToPath(new URL('pages/', import.meta.url));

/** The origin pages are written for; they are served with the test's own in its place. */
const WRITTEN_FOR = 'https://news.example';

export interface Expectation {
  about: string;
  /** Path it is served at. */
  at: string;
  /** Canonical address it must get. */
  url: string;
  /** Fields it must have. */
  post: Partial<PageRecord['patch']>;
  sources?: PageRecord['sources'];
  textHolds?: string[];
  textLacks?: string[];
  /** Parts of the notes it must get. */
  notes?: string[];
  serve?: { contentType?: string; packed?: keyof typeof PACKERS; padding?: true; nesting?: true };
}

export const pageNames = readdirSync(folder)
  .filter((file) => file.endsWith('.html'))
  .map((file) => file.slice(0, -'.html'.length));

const PACKERS = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };

const PADDING = `<!-- ${'padding '.repeat(400_000)} -->`;
const NESTING = '<div><span>'.repeat(50_000);

/** Byte for byte, whatever encoding it is written in: only the origin is put in. */
function bytesOf(name: string, origin: string): Buffer {
  const text = readFileSync(`${folder}${name}.html`, 'latin1')
    .replaceAll(WRITTEN_FOR, origin)
    .replace('{{3MB}}', PADDING)
    .replace('{{NEST}}', NESTING);
  return Buffer.from(text, 'latin1');
}

export function expectationOf(name: string, origin: string): Expectation {
  return JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8').replaceAll(WRITTEN_FOR, origin));
}

/** Serves one page at a time: whichever is named, at whatever path is asked for. */
export async function servePages() {
  let current = '';
  const server: Server = createServer((request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    const origin = `http://${request.headers.host}`;
    const { contentType = 'text/html; charset=utf-8', packed } = expectationOf(current, origin).serve ?? {};
    const body = bytesOf(current, origin);
    response.writeHead(200, { 'Content-Type': contentType, ...(packed && { 'Content-Encoding': packed }) });
    response.end(packed ? PACKERS[packed](body) : body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    show(name: string) {
      current = name;
    },
    close: () => new Promise((done) => server.close(done)),
  };
}
