// A publisher's site for tests of sitemaps: pages, and files that list them, on several ports of this machine. The crawler leaves a
// host alone for a second between two pages, and each port is a host of its own.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ArchiveFile {
  body: string | Buffer;
  type?: string;
  status?: number;
  headers?: Record<string, string>;
}

export interface ArchiveSite {
  /** One for each port, the first is the site's main one. */
  origins: string[];
  /** Path → what it answers, on every port; whatever is not here is 404. */
  files: Map<string, ArchiveFile>;
  /** Paths that were asked for, in order. */
  asked: string[];
  close(): void;
}

export async function openArchiveSite(ports = 1): Promise<ArchiveSite> {
  const files = new Map<string, ArchiveFile>();
  const asked: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    asked.push(request.url!);
    const file = files.get(request.url!);
    if (file === undefined) return response.writeHead(404).end();
    const { body, type = 'text/html; charset=utf-8', status = 200, headers } = file;
    return response.writeHead(status, { 'Content-Type': type, ...headers }).end(body);
  };
  const servers = await Promise.all(Array.from({ length: ports }, () => listen(createServer(answer))));
  return {
    origins: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    files,
    asked,
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

const TOPICS = ['harbour', 'orchard', 'railway', 'library', 'observatory'];

/** A page with all that a post has; every fifth is about the same. */
export function articlePage(number: number): ArchiveFile {
  const topic = TOPICS[number % TOPICS.length]!;
  const title = `The ${topic}, part ${number}`;
  const date = new Date(Date.UTC(2024, 0, 1 + number)).toISOString();
  const words = `<p>What the ${topic} needs is repair, says the ${topic} council of part ${number}.</p>`.repeat(15);
  return {
    body: `<!doctype html><html lang="en"><title>${title}</title>
      <script type="application/ld+json">{"@type":"NewsArticle","headline":"${title}","datePublished":"${date}"}</script>
      <article><h1>${title}</h1>${words}</article>`,
  };
}

export const XML = 'application/xml';

/** A URL set; entries are URLs, or URLs with their `lastmod`. */
export function urlSet(entries: readonly (string | readonly [url: string, lastmod: string])[]): string {
  const rows = entries.map((entry) => {
    const [url, lastmod] = typeof entry === 'string' ? [entry] : entry;
    return `<url><loc>${url}</loc>${lastmod === undefined ? '' : `<lastmod>${lastmod}</lastmod>`}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${rows.join('\n')}</urlset>`;
}

/** An index of sitemaps, without dates. */
export function sitemapIndex(urls: readonly string[]): string {
  const rows = urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`);
  return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${rows.join('')}</sitemapindex>`;
}
