// Pages read for clients without a secret: seldom, few at once, and with one answer for all that a name means on this
// network.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'hono';
import { type Finding, problem } from '../checkup/finding.ts';
import { remedyFor } from '../checkup/remedies.ts';
import type { Deps } from '../context.ts';
import { CrawlError, type Failure } from '../crawl/failure.ts';
import type { CrawledPage } from '../crawl/readSitePage.ts';
import { clientAddress } from '../http/clientAddress.ts';
import { sendError } from '../http/send.ts';
import { createRateLimit, prefixOf } from '../ingest/rateLimit.ts';
import type { Site } from '../sites/site.ts';

/** A foreign page is fetched for any client: seldom enough to be of no use to anyone but a publisher. */
const CHECKS = { perSecond: 0.1, burst: 6 };
const READ_AT_ONCE = 2;

/**
 * Failures that disclose what a name means on this network: a private address, no address, a closed port. Without a
 * secret they have one answer, which comes no sooner than `UNREAD_MS`: a name that is known nearby is looked up faster
 * than one that is not.
 */
const OF_NETWORK: ReadonlySet<Failure> = new Set<Failure>(['private-address', 'unknown-host', 'unreachable']);
const UNREAD_MS = 2_000;

/** HTTP statuses of endpoints that read pages. */
export const TOO_MANY_READS = { 429: 'Too many pages are being read.' };

export interface BoundedReads {
  /** Runs what reads a page, where that is not too much now; else answers 429. */
  admitted(c: Context, work: () => Promise<Response>): Promise<Response>;
  /**
   * The crawler's own reading: the site's hosts only, robots.txt obeyed, nothing private touched.
   * @returns why not, where it cannot be read.
   */
  read(site: Site, address: string, how: { framed: boolean }): Promise<CrawledPage | Finding>;
}

export function createBoundedReads({
  crawler,
  settings,
  clock,
  log,
}: Pick<Deps, 'crawler' | 'settings' | 'log'> & { clock(): number }): BoundedReads {
  const rate = createRateLimit(CHECKS);
  let reading = 0;
  return {
    async admitted(c, work) {
      const sender = prefixOf(clientAddress(c, settings.trustedProxies)) ?? '';
      if (reading >= READ_AT_ONCE || rate.take(sender, 1, clock()) === 0) return tooMany(c);
      reading++;
      try {
        return await work();
      } finally {
        reading--;
      }
    },
    async read(site, address, how) {
      const pause = sleep(UNREAD_MS, undefined, { ref: false });
      try {
        return (await crawler.readNow(site, address, how)).page;
      } catch (error) {
        if (!(error instanceof CrawlError)) throw error;
        if (OF_NETWORK.has(error.failure)) {
          const { host } = new URL(address);
          log.info({ site: site.id, host, failure: error.failure, err: error }, 'a page to check could not be read');
          await pause;
          return unread(address);
        }
        return problem('page', error.message, remedyFor(error.failure));
      }
    },
  };
}

export const isFinding = (read: object): read is Finding => 'says' in read;

const unread = (address: string): Finding =>
  problem(
    'page',
    `${new URL(address).host} cannot be read from here: it has no address on the public internet, or does not answer there.`,
    'Is the name of the host spelt right, and the page up? The log of the server says more; so does afterword crawl.',
  );

function tooMany(c: Context): Response {
  c.header('Retry-After', '10');
  return sendError(c, { code: 429, message: 'Too many checks: try again in ten seconds.', success: false }, 429);
}
