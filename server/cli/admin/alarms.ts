// Alarms of a site as commands set them, what was sent, and the morning page.
import { Hono } from 'hono';
import { z } from 'zod';
import { tooFewDays } from '../../alarms/curve.ts';
import type { Deps } from '../../context.ts';
import { DAY } from '../../durations.ts';
import { toMorningMessage } from '../../messages/morningPages.ts';
import { messageId } from '../../messages/outbox.ts';
import { isWanted, sendsToWebhook } from '../../messages/subscribers.ts';
import { WEBHOOK } from '../../messages/webhookReceiver.ts';
import { type MorningPage, readMorningPage } from '../../rankings/morningPage.ts';
import {
  type AlarmSettings,
  DEFAULT_MINIMUM,
  FORMATS,
  formatTime,
  parseQuietHours,
  parseTime,
} from '../../sites/alarmSettings.ts';
import { subscribed } from '../../sites/mail.ts';
import type { Site } from '../../sites/site.ts';
import type { Attempt, StoredMessage } from '../../storage/messages.ts';
import { CommandError } from '../commandError.ts';
import { requireSite } from './sites.ts';

/** null: off. */
export interface AlarmInfo {
  apikey: string;
  /** Its address; null: the site has none, and alarms go by mail alone. */
  webhook: string | null;
  alarms: { format: AlarmSettings['format']; minimum: number; quiet: string | null; morning: string | null } | null;
  /** Days that events are kept for, where these are too few for alarms about traffic; null: they are enough. */
  too_few_days: number | null;
}

/** A message of the last 30 days, as it is listed. */
export interface SentInfo {
  id: string;
  kind: string;
  at: string;
  text: string;
  /** Who took it, and when; those that are still tried, and those that did not take it. */
  receivers: { receiver: string; state: 'taken' | 'waits' | 'given up' | 'unknown'; at: string; why: string }[];
}

/** A morning page that is to be sent. */
export interface DigestInfo extends SentInfo {
  apikey: string;
  /** Later it is sent no more. */
  until: string;
}

/** What is absent stays, or has its default; `none` removes it. */
const body = z.object({
  format: z.enum(FORMATS).optional(),
  minimum: z.number().int().min(1).max(1_000_000_000).optional(),
  quiet: z.string().optional(),
  morning: z.string().optional(),
});

const LISTED_MS = 30 * DAY;

type AlarmDeps = Pick<Deps, 'sites' | 'store' | 'exclusions' | 'now'>;

export function alarmAdmin({ sites, store, exclusions, now }: AlarmDeps): Hono {
  const admin = new Hono();

  admin.get('/sites/:id/alarms', (c) => c.json(toInfo(requireSite(sites, c.req.param('id')))));

  admin.post('/sites/:id/alarms', async (c) => {
    const found = requireSite(sites, c.req.param('id'));
    const { format, minimum, quiet, morning } = body.parse(await c.req.json());
    const said = {
      ...(format && { format }),
      ...(minimum && { minimum }),
      ...(quiet !== undefined && { quiet: orNone(quiet, parseQuietHours, QUIET_FORM) }),
      ...(morning !== undefined && { morning: orNone(morning, parseTime, MORNING_FORM) }),
    };
    const { id } = requireReceiver(found);
    const changed = await sites.change(id, (site) => {
      const { alarms = { format: 'json', minimum: DEFAULT_MINIMUM, since: now() } } = site;
      return { ...site, alarms: { ...alarms, ...said } };
    });
    return c.json(toInfo(changed));
  });

  admin.delete('/sites/:id/alarms', async (c) => {
    const { id } = requireSite(sites, c.req.param('id'));
    return c.json(toInfo(await sites.change(id, ({ alarms: _, ...site }) => site)));
  });

  admin.get('/sites/:id/alarms/sent', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const stored = await store.messages.list(site.id, now() - LISTED_MS);
    const attempts = await store.messages.lastAttempts(site.id, now() - LISTED_MS);
    return c.json(stored.reverse().map((message) => toSent(site, message, attempts)));
  });

  admin.get('/sites/:id/digest', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    return c.json((await readMorningPage({ store, exclusions }, site, now())) satisfies MorningPage);
  });

  admin.post('/sites/:id/digest', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    if (!isWanted(site, 'morning'))
      throw new CommandError(
        `There is no receiver of the morning page of ${site.id}. Add a recipient (afterword mail add ${site.id} anna@example.com), or set a webhook (afterword site webhook ${site.id} https://…) and switch its messages on (afterword alarm on ${site.id}).`,
      );
    const id = messageId(site.id, 'digest', now());
    const message = await toMorningMessage({ store, exclusions }, site, { id, now: now() });
    await store.messages.save(message);
    const until = new Date(message.until).toISOString();
    return c.json({ ...toSent(site, message, []), apikey: site.id, until } satisfies DigestInfo);
  });

  return admin;
}

export const QUIET_FORM = 'Quiet hours are two times of the site’s zone, such as 22:00-07:00, or none';
const MORNING_FORM = 'The morning page is sent at a time of the site’s zone, such as 07:30, or none';

export function orNone<T>(text: string, parse: (text: string) => T | undefined, form: string): T | undefined {
  if (text.trim().toLowerCase() === 'none') return undefined;
  const parsed = parse(text);
  if (parsed === undefined) throw new CommandError(`${form}, not "${text.slice(0, 100)}".`, 2);
  return parsed;
}

function requireReceiver(site: Site): Site {
  if (site.webhook !== undefined || subscribed(site.mail).length > 0) return site;
  throw new CommandError(
    `${site.id} has no webhook and no recipients of mail, to whom alarms are sent. Set one first: afterword site webhook ${site.id} https://… or afterword mail add ${site.id} anna@example.com`,
  );
}

function toInfo({ id, alarms, webhook, quotas }: Pick<Site, 'id' | 'alarms' | 'webhook' | 'quotas'>): AlarmInfo {
  const of = { apikey: id, webhook: webhook?.url ?? null, too_few_days: tooFewDays(quotas?.keepEvents) };
  if (alarms === undefined) return { ...of, alarms: null };
  const { format, minimum, quiet, morning } = alarms;
  return {
    ...of,
    alarms: {
      ...{ format, minimum },
      quiet: quiet ? `${formatTime(quiet.from)}-${formatTime(quiet.to)}` : null,
      morning: morning === undefined ? null : formatTime(morning),
    },
  };
}

function toSent(site: Site, { id, kind, at, text }: StoredMessage, attempts: readonly Attempt[]): SentInfo {
  const receivers = attempts
    .filter((one) => one.message === id)
    .map(({ receiver, outcome, at, endedAt, why }) => ({
      receiver: nameOf(site, receiver),
      at: new Date(endedAt || at).toISOString(),
      ...(STATES[outcome] === 'waits' && !isReceiver(site, receiver)
        ? { state: 'given up' as const, why: [why, 'it gets no messages any more'].filter(Boolean).join('; ') }
        : { state: STATES[outcome], why }),
    }));
  return { ...{ id, kind, text, receivers }, at: new Date(at).toISOString() };
}

const STATES = { claimed: 'waits', failed: 'waits', taken: 'taken', given_up: 'given up', unknown: 'unknown' } as const;

const isReceiver = (site: Site, receiver: string): boolean =>
  receiver === WEBHOOK.key ? sendsToWebhook(site) : subscribed(site.mail).some(({ id }) => receiver === `mail ${id}`);

/** The address of a recipient. */
const nameOf = ({ mail = [] }: Site, receiver: string): string =>
  mail.find(({ id }) => receiver === `mail ${id}`)?.address ?? receiver;
