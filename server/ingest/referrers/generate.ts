// Turns Matomo's list of search engines and networks into the table we look hosts up in. Run by hand when the list changes:
//
//   npx tsx server/ingest/referrers/generate.ts <folder of matomo-org/searchengine-and-social-list> <version>
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDomainWithoutSuffix } from 'tldts';
import { parse } from 'yaml';
import type { KnownHosts } from './knownHosts.ts';

interface Definition {
  urls: string[];
  /** Query parameters (or `/patterns/`) that hold the words searched for. */
  params?: string[];
  /** Given where the engine sends no words: its host alone is proof. */
  hiddenkeyword?: string[];
}

const [folder, version] = process.argv.slice(2);
if (!folder || !version) throw new Error('Usage: generate.ts <folder> <version>');

const read = (name: string): unknown => parse(readFileSync(join(folder, name), 'utf8'));
const engines = read('SearchEngines.yml') as Record<string, Definition[]>;
const networks = read('Socials.yml') as Record<string, string[]>;

/** Editions of one brand count as the brand: `Google Images` is google. */
const EDITION =
  / (?:images|blogsearch|custom search|maps|news|scholar|shopping|syndicated search|translations|videos?|videa|directory)$/;
const SEARCH_WORD = /(?:^|[.-])\w*(?:search|such|recherche|busca|busqueda|ricerca|pesquisa|szukaj|hledani|zoek|poisk)/;

const plain = (name: string) => decodeURIComponent(name).toLowerCase();
const engineBrand = (name: string) =>
  plain(name)
    .replaceAll('!', '')
    .replace(/ \(.*\)$/, '')
    .replace(EDITION, '');

/** A host that does little else than search needs no further proof; a portal does: the words searched for. */
const isEngineItself = (host: string, brand: string) =>
  SEARCH_WORD.test(host) ||
  getDomainWithoutSuffix(host.replaceAll('{}', 'de')) === brand.replaceAll(/[^\p{L}\p{N}]/gu, '');

const hosts: KnownHosts = {
  origin: `https://github.com/matomo-org/searchengine-and-social-list ${version}`,
  licence: 'CC0-1.0',
  search: {},
  searchWithWords: {},
  social: {},
};

for (const [name, definitions] of Object.entries(engines)) {
  const brand = engineBrand(name);
  for (const { urls, params = [], hiddenkeyword } of definitions) {
    for (const url of urls) {
      // A path is never sent by today's browsers; the host it hangs on is listed by itself.
      if (url.includes('/')) continue;
      const host = url.toLowerCase().replace(/^www\./, '');
      const words = params.filter((param) => !param.startsWith('/'));
      if (hiddenkeyword || isEngineItself(host, brand)) hosts.search[host] = brand;
      else if (words.length > 0) hosts.searchWithWords[host] = [brand, ...words];
    }
  }
}
for (const [name, urls] of Object.entries(networks)) {
  for (const url of urls)
    hosts.social[
      url
        .trim()
        .toLowerCase()
        .replace(/^www\./, '')
    ] = plain(name);
}

writeFileSync(new URL('generated/matomo.json', import.meta.url), `${JSON.stringify(hosts, null, 1)}\n`);
