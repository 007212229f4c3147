// Sends the winners of headline tests to the webhooks of their sites, and records that with the ending.
import type { FetchRules } from '../crawl/fetchPage.ts';
import { DAY } from '../durations.ts';
import type { Alternatives, AlternativesEnd } from '../posts/alternatives.ts';
import type { PostCard } from '../posts/post.ts';
import { toHeadlineRecord } from '../posts/toHeadlineRecord.ts';
import { serveEach } from '../serveEach.ts';
import type { Library } from '../siteIndex/types.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Site, SiteId } from '../sites/site.ts';
import type { SiteWebhook } from '../sites/webhook.ts';
import type { Store } from '../storage/store.ts';
import { createOutbox, messageId, type Outbox, type OutboxOptions, type Outgoing } from './outbox.ts';
import { isSlack } from './subscribers.ts';
import { postTo, WEBHOOK, WEBHOOK_CONCURRENCY } from './webhookReceiver.ts';

export interface Announcer extends Pick<Outbox, 'stop'> {
  /** Attempts by the way they went. */
  counts(): (ReturnType<Outbox['counts']>[number] & { by: 'webhook' | 'mail' })[];
  /**
   * Sends what is due.
   * @throws {AggregateError} Of the sites that failed, once all others were served.
   */
  tick(): Promise<void>;
  /** Messages that were not taken yet, as the last run found them. */
  waiting(): number;
}

export interface AnnouncerOptions extends OutboxOptions {
  store: { posts: Pick<Store['posts'], 'tested' | 'sitesTested'> } & OutboxOptions['store'];
  rules: FetchRules;
  sites: Pick<SiteDirectory, 'list'>;
  library: Pick<Library, 'write'>;
}

/** After the ending; what a receiver misses for so long is given up. */
const LONGEST_MS = 3 * DAY;

export function createAnnouncer({ store, sites, library, rules, ...options }: AnnouncerOptions): Announcer {
  const { now } = options;
  const outbox = createOutbox({ store, ...options });
  let waiting = 0;

  async function announce({ id: site }: Site, webhook: SiteWebhook): Promise<number> {
    const recent = await store.posts.tested(site, { endedSince: now() - LONGEST_MS });
    const found = recent.flatMap((post) => outgoingOf(site, webhook, post));
    return await outbox.send(site, WEBHOOK, found);
  }

  function outgoingOf(site: SiteId, webhook: SiteWebhook, post: PostCard): Outgoing[] {
    const test = endedOf(post, now());
    if (test === undefined) return [];
    const id = messageId(site, post.url, test.startedAt);
    const body = toMessage(site, post, test.end);
    const stop = outbox.stopping;
    return [
      {
        id,
        about: 'the winner of a headline test',
        fields: { url: post.url },
        attempt: () => postTo(webhook, { id, body }, { rules: { ...rules, stop }, now: now() }),
        until: test.end.at + LONGEST_MS,
        async record() {
          const alternatives = { ...test, end: { ...test.end, announcedAt: now() } };
          await library.write(site, post.url, { patch: { alternatives } });
        },
      },
    ];
  }

  return {
    async tick() {
      const hooked = sites
        .list()
        .flatMap((site) => (site.webhook && !isSlack(site) ? [{ site, webhook: site.webhook }] : []));
      if (hooked.length === 0) {
        waiting = 0;
        return;
      }
      const tested = new Set(await store.posts.sitesTested());
      const due = hooked.filter(({ site }) => tested.has(site.id));
      let left = 0;
      const failures = await serveEach(
        due,
        async ({ site, webhook }) => {
          const some = await announce(site, webhook);
          left += some;
        },
        { concurrency: WEBHOOK_CONCURRENCY, stop: outbox.stopping },
      );
      waiting = left;
      if (failures.length > 0) throw new AggregateError(failures, `Winners of ${failures.length} sites were not sent.`);
    },
    counts: () => outbox.counts().map((one) => ({ ...one, by: 'webhook' })),
    waiting: () => waiting,
    stop: outbox.stop,
  };
}

/** A test whose winner was not taken yet; undefined where there is none, or it is too old. */
function endedOf({ alternatives: test }: PostCard, now: number): (Alternatives & { end: AlternativesEnd }) | undefined {
  const { end } = test ?? {};
  if (test === undefined || end?.winner === undefined || end.announcedAt !== undefined) return undefined;
  return now - end.at > LONGEST_MS ? undefined : { ...test, end };
}

function toMessage(site: SiteId, post: PostCard, { at }: AlternativesEnd): object {
  const record = toHeadlineRecord(post);
  const { title, image_url } = record?.alternatives[(record.winner ?? 1) - 1] ?? {};
  const data = { apikey: site, title, image_url, ...record };
  return { type: 'headline.won', timestamp: new Date(at).toISOString(), data };
}
