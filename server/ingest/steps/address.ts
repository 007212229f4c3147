// Parses addresses of pages and referrers, with a cache: most events name one of the same few thousand.
import { LRUCache } from 'lru-cache';
import { parseWebUrl, toPageUrl } from '../../posts/canonicalUrl.ts';
import { parseUrl } from '../../posts/parseUrl.ts';
import { isNameOfPostId } from '../../posts/postId.ts';
import type { Site } from '../../sites/site.ts';
import { publisherPage } from '../ampCache.ts';
import type { Met } from '../cardinality/cardinalityLimit.ts';
import { INGEST_LIMITS } from '../limits.ts';
import { belongsToSite, type Host, hostOf } from '../siteHosts.ts';
import { type Campaign, NO_CAMPAIGN, readCampaign } from './campaign.ts';
import { classifyReferrer, type Referrer } from './referrer.ts';

export interface Page extends Met {
  /** As sent; of a page from an AMP cache, the publisher's. */
  address: Host;
  /** The site it was last found to belong to; sites are immutable values. */
  owner: Site | undefined;
  /** Canonical URL. */
  url: string;
  /** How storage writes it. */
  cell: Uint8Array | undefined;
  campaign: Campaign;
}

export interface ReadReferrer {
  /** Undefined where the text is no address. */
  address: Host | undefined;
  /** Its class, unless it is a page of the site itself. */
  foreign: Referrer;
  /** Canonical URL, for a page of the site; "" where it cannot be one. */
  url: string;
}

/** Host of a page that has only a name: it belongs to every site. */
const NOWHERE: Host = { hostname: '', port: '', protocol: '' };

/** Longer texts are parsed each time: they would fill the cache. */
const MAX_REMEMBERED = 500;

export class AddressReader {
  /** False for a text that names no page. */
  readonly #pages = new LRUCache<string, Page | false>({ max: INGEST_LIMITS.parsedPages });
  readonly #referrers = new LRUCache<string, ReadReferrer>({ max: INGEST_LIMITS.parsedReferrers });
  readonly #names: readonly string[];

  /** @param names Texts that name a page of every site, although they are no addresses. Default: none. */
  constructor(names: readonly string[] = []) {
    this.#names = names;
  }

  /** @returns undefined when the text is no address of a web page nor the name of a post's id, or too long. */
  page(text: string): Page | undefined {
    const known = this.#pages.get(text);
    if (known !== undefined) return known || undefined;
    const isName = isNameOfPostId(text) || this.#names.includes(text);
    const page = isName ? nowhere(text) : findPage(text);
    if (text.length <= MAX_REMEMBERED) this.#pages.set(text, page ?? false);
    return page;
  }

  /** @param text An address, or a path on the origin of this page. */
  resolve({ address: { protocol, hostname, port } }: Page, text: string): Page | undefined {
    return this.page(text.startsWith('/') ? `${protocol}//${hostname}${port && `:${port}`}${text}` : text);
  }

  /** @param text Undefined or "" for none. */
  referrer(text = ''): ReadReferrer {
    if (text === '') return NO_REFERRER;
    const known = this.#referrers.get(text);
    if (known) return known;
    const referrer = findReferrer(text);
    if (text.length <= MAX_REMEMBERED) this.#referrers.set(text, referrer);
    return referrer;
  }
}

const nowhere = (name: string): Page => ({
  address: NOWHERE,
  owner: undefined,
  url: name,
  cell: undefined,
  campaign: NO_CAMPAIGN,
  met: undefined,
});

function findPage(text: string): Page | undefined {
  const sent = parseWebUrl(text);
  const address = (sent && publisherPage(sent)) ?? sent;
  const url = address && toPageUrl(address);
  if (address === undefined || url === undefined) return undefined;
  const campaign = readCampaign(address);
  return { address: hostOf(address), owner: undefined, url, cell: undefined, campaign, met: undefined };
}

/** Whether the page belongs to the site. */
export function isOf(page: Page, site: Site): boolean {
  if (page.owner === site || page.address === NOWHERE) return true;
  if (!belongsToSite(page.address, site)) return false;
  page.owner = site;
  return true;
}

/** Most events name none. */
const NO_REFERRER = findReferrer('');

function findReferrer(text: string): ReadReferrer {
  const trimmed = text.trim();
  const sent = parseWebUrl(trimmed);
  const page = (sent && publisherPage(sent)) ?? sent;
  const address = page ?? parseUrl(trimmed);
  return {
    address: address && hostOf(address),
    foreign: classifyReferrer(sent ?? address),
    url: (page && toPageUrl(page)) ?? '',
  };
}
