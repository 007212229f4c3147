// robots.txt of each host: read once an hour, obeyed by name, kept in bounded memory. @see
// https://www.rfc-editor.org/rfc/rfc9309
import { LRUCache } from 'lru-cache';
import robotsParser from 'robots-parser';
import { HOUR } from '../durations.ts';
import { CrawlError } from './failure.ts';
import { type Fetched, type FetchedSite, type FetchRules, fetchFrom } from './fetchPage.ts';

export interface Robots {
  /**
   * Resolves when a page may be read.
   * @throws {CrawlError} `robots` when it may not; `bad-status` or what hindered us when the file cannot be had now.
   */
  require(url: URL): Promise<void>;
  /**
   * Addresses on the lines `Sitemap:` of the file of a URL's host, as written. @throws {CrawlError} when the file
   * cannot be had now.
   */
  sitemaps(url: URL): Promise<string[]>;
}

type Rules = ReturnType<typeof robotsParser>;

export interface RobotsOptions {
  rules: FetchRules;
  /** Name that the file addresses. */
  agent: string;
  /** Monotonic milliseconds: a wall clock that is set changes no duration. */
  clock(): number;
}

const MAX_HOSTS = 500;
/** Characters of all the files kept. */
const MAX_KEPT = 20_000_000;
const KEEP_MS = HOUR;
/** The standard's own bound. */
const MAX_BYTES = 500 * 1024;
/** Each question tries every rule: a file made of rules must not hold up what else the server does. */
const MAX_LINES = 5_000;
/** Characters behind the wildcards of all rules: each of them is tried at every character of an address. */
const MAX_WILD = 10_000;

export function createRobots({ rules, agent, clock }: RobotsOptions) {
  const known = new LRUCache<string, Rules, { origin: string; site: FetchedSite }>({
    max: MAX_HOSTS,
    maxSize: MAX_KEPT,
    ttl: KEEP_MS,
    ttlResolution: 0,
    perf: { now: clock },
    // `delayOf` applies an expired file until the new one has been read.
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { options, context: { origin, site } }) {
      const { parsed, size } = await read(origin, site);
      options.size = size;
      return parsed;
    },
  });

  async function read(origin: string, site: FetchedSite): Promise<{ parsed: Rules; size: number }> {
    const address = `${origin}/robots.txt`;
    const text = await fetchText(address, site);
    return { parsed: robotsParser(address, text), size: text.length + 1 };
  }

  async function fetchText(address: string, site: FetchedSite): Promise<string> {
    try {
      const answer = await fetchFrom(address, { site, accept: 'text/plain, */*;q=0.1', max: MAX_BYTES }, rules);
      if (answer.status < 500 && answer.status !== 429) return textOf(answer);
      throw new CrawlError(
        'bad-status',
        `${address} answers ${answer.status}: nothing is read until it answers again.`,
      );
    } catch (error) {
      // RFC 9309, section 2.3.1.2: a file behind more than five redirects may be taken as one that is not there.
      if (error instanceof CrawlError && error.failure === 'too-many-redirects') return '';
      throw error;
    }
  }

  const rulesOf = ({ origin }: URL, site: FetchedSite): Promise<Rules> =>
    known.forceFetch(`${site.id} ${origin}`, { context: { origin, site } });

  return {
    /** The rules of a site's hosts: its file is fetched under the same checks as its pages. */
    of: (site: FetchedSite): Robots => ({
      async require(url) {
        if ((await rulesOf(url, site)).isAllowed(url.href, agent) === false)
          throw new CrawlError('robots', `${url.origin}/robots.txt asks ${agent} not to read ${url.pathname}.`);
      },
      sitemaps: async (url) => (await rulesOf(url, site)).getSitemaps(),
    }),

    /** Seconds a host asks to leave between two requests; 0 when it does not, or was never asked. */
    delayOf: (site: Pick<FetchedSite, 'id'>, url: URL): number =>
      known.get(`${site.id} ${url.origin}`, { allowStale: true })?.getCrawlDelay(agent) ?? 0,
  };
}

/** No file means no rules. Beyond the bounds rules are left out, as bytes are. */
function textOf({ status, bytes }: Fetched): string {
  if (status !== 200) return '';
  let wild = 0;
  const lines = bytes.toString('utf8').split('\n', MAX_LINES);
  const kept = lines.filter((line) => {
    const [rule = ''] = line.split('#', 1);
    const star = rule.indexOf('*');
    if (star < 0) return true;
    wild += rule.length - star;
    return wild <= MAX_WILD;
  });
  return kept.join('\n');
}
