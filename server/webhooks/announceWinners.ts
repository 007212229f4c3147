// Sends the winners of headline tests to the webhooks of their sites: tried again after pauses that grow, and recorded
// with the ending, so that a winner that was taken is not sent again after a restart or by another copy.
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { FetchRules } from '../crawl/fetchPage.ts';
import { sendTo } from '../crawl/sendTo.ts';
import type { Alternatives, AlternativesEnd } from '../posts/alternatives.ts';
import type { PostCard } from '../posts/post.ts';
import { toHeadlineRecord } from '../posts/toHeadlineRecord.ts';
import type { Library } from '../siteIndex/types.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Site, SiteId } from '../sites/site.ts';
import { type SiteWebhook, signatureHeaders } from '../sites/webhook.ts';
import type { Store } from '../storage/store.ts';

export interface Announcer {
  /** Sends what is due. */
  tick(): Promise<void>;
  counts(): { outcome: Outcome; count: number }[];
  /** Winners that were not taken yet, as the last run found them. */
  waiting(): number;
  /** Breaks off what is being sent. */
  stop(): void;
}

export interface AnnouncerOptions {
  store: { posts: Pick<Store['posts'], 'tested' | 'sitesTested'> };
  sites: Pick<SiteDirectory, 'list'>;
  library: Pick<Library, 'write'>;
  rules: FetchRules;
  log: Logger;
  /** Epoch milliseconds. */
  now(): number;
}

const OUTCOMES = ['taken', 'failed', 'given_up'] as const;
type Outcome = (typeof OUTCOMES)[number];

const MINUTE = 60_000;
const LONGEST_PAUSE_MS = 360 * MINUTE;
/** After the ending; what a receiver misses for so long is given up. */
const LONGEST_MS = 3 * 24 * 60 * MINUTE;

/** A winner that was not taken yet. */
interface Waiting {
  /** Id of its message. */
  id: string;
  post: PostCard;
  test: Alternatives & { end: AlternativesEnd };
}

export function createAnnouncer({ store, sites, library, rules, log, now }: AnnouncerOptions): Announcer {
  const stopping = new AbortController();
  const counts = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  /** Attempts that failed, by message. A restart begins anew, which is one attempt more. */
  const failures = new Map<string, { attempts: number; next: number }>();
  let waiting = 0;

  const count = (outcome: Outcome) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1);

  async function record(site: SiteId, { id, post, test }: Waiting): Promise<void> {
    failures.delete(id);
    count('taken');
    const alternatives = { ...test, end: { ...test.end, announcedAt: now() } };
    await library.write(site, post.url, { patch: { alternatives } });
    log.info({ site, url: post.url, webhook: id }, 'the webhook of the site took the winner of a headline test');
  }

  function failed(site: SiteId, { id, post, test }: Waiting, why: string): void {
    const attempts = (failures.get(id)?.attempts ?? 0) + 1;
    const next = now() + Math.min(MINUTE * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
    const isLast = next > test.end.at + LONGEST_MS;
    failures.set(id, { attempts, next });
    count(isLast ? 'given_up' : 'failed');
    const said = { site, url: post.url, webhook: id, attempts, why };
    if (isLast) log.error(said, 'the winner of a headline test could not be sent to the webhook of the site: given up');
    else log.warn(said, 'the winner of a headline test could not be sent to the webhook of the site');
  }

  /** One after another; after a failure the others wait, as they have the same receiver. */
  async function announce({ id: site }: Site, webhook: SiteWebhook): Promise<number> {
    const found = (await store.posts.tested(site)).flatMap((post) => waitingOf(site, post, now()));
    let left = found.length;
    for (const one of found) {
      if ((failures.get(one.id)?.next ?? 0) > now()) continue;
      const problem = await send(webhook, one, { site, rules: { ...rules, stop: stopping.signal }, now: now() });
      if (stopping.signal.aborted) break;
      if (problem !== undefined) {
        failed(site, one, problem);
        break;
      }
      await record(site, one);
      left -= 1;
    }
    return left;
  }

  return {
    async tick() {
      const hooked = sites.list().flatMap((site) => (site.webhook ? [{ site, webhook: site.webhook }] : []));
      if (hooked.length === 0) {
        waiting = 0;
        return;
      }
      const tested = new Set(await store.posts.sitesTested());
      const due = hooked.filter(({ site }) => tested.has(site.id));
      const left = await Promise.all(due.map(({ site, webhook }) => announce(site, webhook)));
      waiting = left.reduce((sum, number) => sum + number, 0);
      for (const [id, { next }] of failures) if (next < now() - LONGEST_MS) failures.delete(id);
    },
    counts: () => [...counts].map(([outcome, number]) => ({ outcome, count: number })),
    waiting: () => waiting,
    stop: () => stopping.abort(),
  };
}

function waitingOf(site: SiteId, post: PostCard, now: number): Waiting[] {
  const test = post.alternatives;
  const { end } = test ?? {};
  if (test === undefined || end?.winner === undefined || end.announcedAt !== undefined) return [];
  if (now - end.at > LONGEST_MS) return [];
  const id = `msg_${createHash('sha256').update(`${site} ${post.url} ${test.startedAt}`).digest('hex').slice(0, 32)}`;
  return [{ id, post, test: { ...test, end } }];
}

/** @returns Why it was not taken. */
async function send(
  { url, secret }: SiteWebhook,
  { id, post, test }: Waiting,
  { site, rules, now }: { site: SiteId; rules: FetchRules; now: number },
): Promise<string | undefined> {
  const record = toHeadlineRecord(post);
  const { title, image_url } = record?.alternatives[(record.winner ?? 1) - 1] ?? {};
  const data = { apikey: site, title, image_url, ...record };
  const message = { type: 'headline.won', timestamp: new Date(test.end.at).toISOString(), data };
  const body = JSON.stringify(message);
  const headers = signatureHeaders({ id, timestamp: Math.floor(now / 1000), body }, secret);
  try {
    const status = await sendTo(url, { type: 'application/json', bytes: Buffer.from(body), headers }, rules);
    return status >= 200 && status < 300 ? undefined : `status ${status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
