// Raises the alarms and morning pages of sites. Each is stored before it is sent, so that a restart or another copy of
// the server does not raise it again.
import type { Logger } from 'pino';
import type { TrafficAlarm } from '../alarms/judge.ts';
import { endedMessage, trafficMessage, wonMessage } from '../alarms/messages.ts';
import { isNews, isSecond, type Raised } from '../alarms/repeats.ts';
import { CLOCKS_DIFFER_MS, DAY, MINUTE } from '../durations.ts';
import { toHeadlineRecord } from '../posts/toHeadlineRecord.ts';
import { serveEach } from '../serveEach.ts';
import { DEFAULT_MINIMUM, isQuiet } from '../sites/alarmSettings.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Topic } from '../sites/mail.ts';
import type { Site, SiteId } from '../sites/site.ts';
import type { StoredMessage } from '../storage/messages.ts';
import type { Store } from '../storage/store.ts';
import { createMorningPages, type MorningOptions } from './morningPages.ts';
import { messageId } from './outbox.ts';
import { isMorningOf, isWanted, newsSince, wantsWinnersInWords } from './subscribers.ts';
import { createTrafficWatch, type TrafficWatch } from './watchTraffic.ts';

export interface AlarmOptions extends Pick<MorningOptions, 'exclusions'> {
  store: Pick<Store, 'traffic' | 'messages'> & { posts: Pick<Store['posts'], 'tested' | 'sitesTested'> };
  sites: Pick<SiteDirectory, 'list'>;
  log: Logger;
  /** Epoch milliseconds. */
  now(): number;
  /** How long the oldest event waits for its insertion into the tables; milliseconds. */
  behind(): number;
}

export interface Alarms extends Pick<TrafficWatch, 'notice'> {
  /**
   * Looks at every site whose messages someone gets.
   * @param stop Ends it after the site that it is at. Default: it looks at all.
   */
  tick(stop?: AbortSignal): Promise<void>;
  /** Makes the morning pages that are due, which takes dozens of questions each: no alarm waits for them. */
  makePages(stop?: AbortSignal): Promise<void>;
}

/** Messages of so long ago are looked at: a second alarm within a week has to be surer. */
const LOOK_BACK_MS = 8 * DAY;
/** Two copies that raise at the same moment give the alarm the same id. */
const SAME_MS = 10 * MINUTE;

export function createAlarms({ store, sites, log, now, behind, exclusions }: AlarmOptions): Alarms {
  const watch = createTrafficWatch({ store, now, behind });
  const mornings = createMorningPages({ store, exclusions, now });

  /** Stores what was not raised before, so that it is sent. */
  async function save(site: Site, stored: readonly StoredMessage[], messages: readonly StoredMessage[]): Promise<void> {
    for (const message of messages) {
      if (stored.some(({ id }) => id === message.id)) continue;
      await store.messages.save(message);
      log.info({ site: site.id, message: message.id, kind: message.kind, says: message.text }, 'a message was raised');
    }
  }

  const storedOf = (site: Site) => store.messages.list(site.id, now() - LOOK_BACK_MS);

  /** @param tested Sites with a headline test that runs or has ended. */
  async function raiseNews(site: Site, tested: ReadonlySet<SiteId>): Promise<void> {
    if (isQuiet(site.alarms?.quiet, now(), site.timezone)) return;
    const stored = await storedOf(site);
    await save(site, stored, [...endedOf(site), ...(await wonOf(site, tested)), ...(await trafficOf(site, stored))]);
  }

  async function raisePage(site: Site): Promise<void> {
    if (!isMorningOf(site, now())) return;
    const stored = await storedOf(site);
    await save(site, stored, await mornings.due(site, stored));
  }

  function endedOf(site: Site): StoredMessage[] {
    if (!isWanted(site, 'experiments')) return [];
    const since = Math.max(newsSince(site), now() - LOOK_BACK_MS);
    return (site.experiments ?? []).flatMap((one) => {
      const message = endedMessage(site.id, one, since);
      return message ? [{ site: site.id, id: messageId(site.id, message.kind, one.name), ...message }] : [];
    });
  }

  async function wonOf(site: Site, tested: ReadonlySet<SiteId>): Promise<StoredMessage[]> {
    if (!wantsWinnersInWords(site) || !tested.has(site.id)) return [];
    const since = Math.max(newsSince(site), now() - LOOK_BACK_MS);
    return (await store.posts.tested(site.id, { endedSince: since })).flatMap((post) => {
      const test = toHeadlineRecord(post);
      const message = test && wonMessage(site.id, test, since);
      return message
        ? [{ site: site.id, id: messageId(site.id, message.kind, test.url, test.started), ...message }]
        : [];
    });
  }

  async function trafficOf(site: Site, stored: readonly StoredMessage[]): Promise<StoredMessage[]> {
    if (!isWanted(site, 'alarms')) return [];
    const earlier = trafficAlarmsOf(stored, now());
    const minimum = site.alarms?.minimum ?? DEFAULT_MINIMUM;
    const found = await watch.find(site, { minimum, isSecond: isSecond(now(), earlier) });
    if (found === undefined || !isNews(found, earlier)) return [];
    // Another copy of the server may have raised it meanwhile, while this job moved from one to the other.
    const since = await store.messages.list(site.id, now() - LOOK_BACK_MS);
    if (!isNews(found, trafficAlarmsOf(since, now()))) return [];
    const message = trafficMessage(site.id, site.timezone, found);
    // Of a silence, the last view; of others, about the time.
    const what = found.kind === 'silent' ? found.start : Math.floor(found.end / SAME_MS);
    return [{ site: site.id, id: messageId(site.id, message.kind, what), ...message }];
  }

  return {
    notice: watch.notice,

    async tick(stop) {
      const tested = new Set(sites.list().some(wantsWinnersInWords) ? await store.posts.sitesTested() : []);
      const topics = ['alarms', 'experiments'] as const;
      await forEachSite(sites.list(), { topics, what: 'Alarms', stop }, (site) => raiseNews(site, tested));
    },
    makePages: (stop) => forEachSite(sites.list(), { topics: ['morning'], what: 'Morning pages', stop }, raisePage),
  };
}

interface Round {
  /** Sites where no one gets any of these are left out. */
  topics: readonly Topic[];
  /** For the error. */
  what: string;
  stop: AbortSignal | undefined;
}

/** @throws {AggregateError} Of the sites that failed, once all others were served. */
async function forEachSite(
  sites: readonly Site[],
  { topics, what, stop }: Round,
  raise: (site: Site) => Promise<void>,
): Promise<void> {
  const wanted = sites.filter((one) => isWanted(one, ...topics));
  const failures = await serveEach(wanted, raise, { stop });
  if (failures.length > 0) throw new AggregateError(failures, `${what} of ${failures.length} sites failed.`);
}

const PREFIX = 'alarm.';

/** Those of a clock that was ahead say nothing of the time until then. */
const trafficAlarmsOf = (stored: readonly StoredMessage[], now: number): Raised[] =>
  stored
    .filter(({ kind, at }) => kind.startsWith(PREFIX) && at <= now + CLOCKS_DIFFER_MS)
    .map(({ kind, at }) => ({ kind: kind.slice(PREFIX.length) as TrafficAlarm, at }));
