// Sends the winners of headline tests to the webhooks of their sites, and records that with the ending, so that a
// winner that was taken is not sent again after a restart or by another copy.
import type { Alternatives, AlternativesEnd } from '../posts/alternatives.ts';
import type { PostCard } from '../posts/post.ts';
import { toHeadlineRecord } from '../posts/toHeadlineRecord.ts';
import type { Library } from '../siteIndex/types.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Site, SiteId } from '../sites/site.ts';
import type { SiteWebhook } from '../sites/webhook.ts';
import type { Store } from '../storage/store.ts';
import { createOutbox, messageId, type Outbox, type OutboxOptions, type Outgoing } from './outbox.ts';

export interface Announcer extends Pick<Outbox, 'counts' | 'stop'> {
  /** Sends what is due. */
  tick(): Promise<void>;
  /** Messages that were not taken yet, as the last run found them. */
  waiting(): number;
}

export interface AnnouncerOptions extends OutboxOptions {
  store: { posts: Pick<Store['posts'], 'tested' | 'sitesTested'> };
  sites: Pick<SiteDirectory, 'list'>;
  library: Pick<Library, 'write'>;
}

/** After the ending; what a receiver misses for so long is given up. */
const LONGEST_MS = 3 * 24 * 3_600_000;

export function createAnnouncer({ store, sites, library, ...options }: AnnouncerOptions): Announcer {
  const { now } = options;
  const outbox = createOutbox(options);
  let waiting = 0;

  async function announce({ id: site }: Site, webhook: SiteWebhook): Promise<number> {
    const found = (await store.posts.tested(site)).flatMap((post) => outgoingOf(site, post));
    return await outbox.send(site, webhook, found);
  }

  function outgoingOf(site: SiteId, post: PostCard): Outgoing[] {
    const test = endedOf(post, now());
    if (test === undefined) return [];
    return [
      {
        id: messageId(site, post.url, test.startedAt),
        about: 'the winner of a headline test',
        fields: { url: post.url },
        body: toMessage(site, post, test.end),
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
      const hooked = sites.list().flatMap((site) => (site.webhook ? [{ site, webhook: site.webhook }] : []));
      if (hooked.length === 0) {
        waiting = 0;
        return;
      }
      const tested = new Set(await store.posts.sitesTested());
      const due = hooked.filter(({ site }) => tested.has(site.id));
      const left = await Promise.all(due.map(({ site, webhook }) => announce(site, webhook)));
      waiting = left.reduce((sum, number) => sum + number, 0);
    },
    counts: outbox.counts,
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
