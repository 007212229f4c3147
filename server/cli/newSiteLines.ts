// What `site add` prints for the publisher: the tag with the server's address, and how the lists are filled from the
// archive.
import type { AddressSettings } from '../config.ts';
import type { FoundSitemaps } from '../crawl/sitemaps/findSitemaps.ts';
import type { SitemapSearch } from './admin/sitemaps.ts';
import { CommandError } from './commandError.ts';
import { asWord } from './output.ts';
import type { Reach, ServerStatus } from './reach.ts';

export interface ServerAddress {
  url: string;
  /** What to replace in it, in a sentence; "" where readers reach it as it is. */
  note: string;
}

/**
 * The address of the running server; where none runs, the one it will have with the same settings.
 * @param status undefined: none runs.
 */
export function addressOf(status: ServerStatus | undefined, settings: AddressSettings): ServerAddress {
  const url = status?.url ?? settings.publicUrl;
  if (url !== undefined && (status === undefined || status.isPublic === true)) return { url, note: '' };
  const replace = 'On pages that others read, put the address there that readers reach it at, which --public-url sets.';
  if (url !== undefined) return { url, note: `The server listens at ${url}. ${replace}` };
  const { host, port } = settings;
  const name = host.includes(':') ? `[${host}]` : host;
  const listens = `http://${name}:${port === 0 ? '<port>' : port}`;
  return {
    url: listens,
    note: `No server runs on this data now; with these settings it will listen at ${listens}. ${replace}`,
  };
}

/** What a publisher pastes. */
export function tagLines(id: string, { url, note }: ServerAddress): string[] {
  return [
    '',
    'Paste this into every page:',
    `  <script async src="${url}/afterword.js" data-site="${id}"></script>`,
    'and this where the lists shall stand:',
    '  <div data-afterword="related"></div>',
    '  <div data-afterword="top"></div>',
    ...(note === '' ? [] : [note]),
  ];
}

/** Longest wait for the site's own server: what is printed before can be used meanwhile. */
const FIND_MS = 5_000;

/** Looks for the sitemaps of a site that was made. */
export async function findArchive(reach: Reach, site: string): Promise<FoundSitemaps> {
  const search: SitemapSearch = { site, within: FIND_MS };
  try {
    return await reach.ask<FoundSitemaps>('POST', '/sitemaps/find', search);
  } catch (error) {
    // The site is made, whatever hinders the search.
    if (error instanceof CommandError) return NOTHING_FOUND;
    throw error;
  }
}

export const NOTHING_FOUND: FoundSitemaps = { urls: [], answered: false, hindered: [] };

export function archiveLines(id: string, { urls, hindered }: FoundSitemaps): string[] {
  const [first] = urls;
  const closed = hindered.find(({ failure }) => failure === 'private-address');
  if (first === undefined) {
    return [
      '',
      'Posts become known when they are viewed, or at once from a sitemap or a feed of the site:',
      `  npx afterword crawl --sitemap <url> --site ${id}`,
      ...(closed === undefined
        ? []
        : [
            `${closed.message} Its pages are read by a server that was started with --allow-private-crawl, for development only.`,
          ]),
    ];
  }
  // With several the command finds them again itself.
  const words = urls.length === 1 ? `--sitemap ${asWord(first)} --site ${id}` : id;
  return [
    '',
    `Posts become known when they are viewed, or at once from the site's ${urls.length === 1 ? 'sitemap' : `${urls.length} sitemaps`}:`,
    `  npx afterword crawl ${words}`,
  ];
}
