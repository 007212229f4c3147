// Raises the alarms of sites and sends them to their webhooks. Each is stored before it is sent, and again when it was
// taken, so that a restart or another copy of the server does not raise or send it again.
import type { TrafficAlarm } from '../alarms/judge.ts';
import { type AlarmMessage, endedMessage, trafficMessage } from '../alarms/messages.ts';
import { isNews, type Raised } from '../alarms/repeats.ts';
import { type AlarmSettings, isQuiet } from '../sites/alarmSettings.ts';
import type { SiteDirectory } from '../sites/directory.ts';
import type { Site } from '../sites/site.ts';
import type { SiteWebhook } from '../sites/webhook.ts';
import type { Store } from '../storage/store.ts';
import type { StoredMessage } from '../storage/webhookMessages.ts';
import { DAY, MINUTE } from '../traffic/zone.ts';
import type { Announcer } from './announceWinners.ts';
import { createMorningPages, type MorningOptions } from './morningPages.ts';
import { createOutbox, messageId, type OutboxOptions, type Outgoing } from './outbox.ts';
import { createTrafficWatch } from './watchTraffic.ts';

export interface AlarmOptions extends OutboxOptions, Pick<MorningOptions, 'exclusions'> {
  store: Pick<Store, 'traffic' | 'webhookMessages'>;
  sites: Pick<SiteDirectory, 'list'>;
  /** How long the oldest event waits for its insertion into the tables; milliseconds. */
  behind(): number;
}

/** Messages of so long ago are looked at: the longest time that one is tried again. */
const LOOK_BACK_MS = 4 * DAY;
/** Two copies that raise at the same moment give the alarm the same id. */
const SAME_MS = 10 * MINUTE;

type SiteWithAlarms = Site & { webhook: SiteWebhook; alarms: AlarmSettings };

export function createAlarms({ store, sites, behind, exclusions, ...options }: AlarmOptions): Announcer {
  const { log, now } = options;
  const outbox = createOutbox(options);
  const watch = createTrafficWatch({ store, now, behind });
  const mornings = createMorningPages({ store, exclusions, now });
  let waiting = 0;

  async function raise(site: SiteWithAlarms, stored: readonly StoredMessage[]): Promise<StoredMessage[]> {
    const raised: StoredMessage[] = [];
    for (const message of await newsOf(site, stored)) {
      if (stored.some(({ id }) => id === message.id)) continue;
      await store.webhookMessages.save(message);
      log.info({ site: site.id, webhook: message.id, kind: message.kind, says: message.text }, 'an alarm was raised');
      raised.push(message);
    }
    return raised;
  }

  async function newsOf(site: SiteWithAlarms, stored: readonly StoredMessage[]): Promise<StoredMessage[]> {
    const { id, timezone, alarms, experiments = [] } = site;
    const page = await mornings.due(site, stored);
    if (isQuiet(alarms.quiet, now(), timezone)) return page;
    const ended = experiments.flatMap((one) => {
      const message = endedMessage(id, one, Math.max(alarms.since, now() - LOOK_BACK_MS));
      return message ? [{ site: id, id: messageId(id, message.kind, one.name), ...message }] : [];
    });
    const found = await watch.find(site, alarms.minimum);
    if (found === undefined || !isNews(found, trafficAlarmsOf(stored))) return [...page, ...ended];
    const message = trafficMessage(id, timezone, found);
    // Of a silence, the last view; of others, about the time.
    const what = found.kind === 'silent' ? found.start : Math.floor(found.end / SAME_MS);
    return [...page, ...ended, { site: id, id: messageId(id, message.kind, what), ...message }];
  }

  const outgoingOf = ({ alarms }: SiteWithAlarms, message: StoredMessage): Outgoing => ({
    id: message.id,
    about: 'a message',
    fields: { kind: message.kind },
    body: bodyOf(message, alarms.format),
    until: message.until,
    record: () => store.webhookMessages.save({ ...message, takenAt: now() }),
  });

  async function serve(site: SiteWithAlarms): Promise<number> {
    const stored = await store.webhookMessages.list(site.id, now() - LOOK_BACK_MS);
    const all = [...stored, ...(await raise(site, stored))];
    const due = all.filter(({ takenAt, until }) => takenAt === undefined && until >= now());
    return await outbox.send(
      site.id,
      site.webhook,
      due.map((message) => outgoingOf(site, message)),
    );
  }

  return {
    async tick() {
      let left = 0;
      const failures: unknown[] = [];
      for (const site of sites.list().filter(hasAlarms)) {
        try {
          left += await serve(site);
        } catch (error) {
          failures.push(error);
        }
      }
      waiting = left;
      if (failures.length > 0) throw new AggregateError(failures, `Alarms of ${failures.length} sites failed.`);
    },
    counts: outbox.counts,
    waiting: () => waiting,
    stop: outbox.stop,
  };
}

const hasAlarms = (site: Site): site is SiteWithAlarms => site.webhook !== undefined && site.alarms !== undefined;

const PREFIX = 'alarm.';

const trafficAlarmsOf = (stored: readonly StoredMessage[]): Raised[] =>
  stored
    .filter(({ kind }) => kind.startsWith(PREFIX))
    .map(({ kind, at }) => ({ kind: kind.slice(PREFIX.length) as TrafficAlarm, at }));

/** Slack reads `<…>` as a link or a call to everyone in the channel. */
const forSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function bodyOf({ kind, at, text, data }: AlarmMessage | StoredMessage, format: AlarmSettings['format']): object {
  return format === 'slack'
    ? { text: forSlack(text) }
    : { type: kind, timestamp: new Date(at).toISOString(), text, data };
}
