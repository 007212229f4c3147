// Alarms of a site as commands set them, what was sent, and the morning page.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { type MorningPage, readMorningPage } from '../../rankings/morningPage.ts';
import {
  type AlarmSettings,
  DEFAULT_MINIMUM,
  FORMATS,
  formatTime,
  parseQuietHours,
  parseTime,
} from '../../sites/alarmSettings.ts';
import type { Site } from '../../sites/site.ts';
import type { StoredMessage } from '../../storage/webhookMessages.ts';
import { DAY } from '../../traffic/zone.ts';
import { toMorningMessage } from '../../webhooks/morningPages.ts';
import { messageId } from '../../webhooks/outbox.ts';
import { CommandError } from '../commandError.ts';
import { requireSite } from './sites.ts';

/** null: off. */
export interface AlarmInfo {
  apikey: string;
  alarms: { format: AlarmSettings['format']; minimum: number; quiet: string | null; morning: string | null } | null;
}

/** A message of the last 30 days, as it is listed. */
export interface SentInfo {
  id: string;
  kind: string;
  at: string;
  text: string;
  /** null: it was not taken yet, or is given up. */
  taken: string | null;
}

/** What is absent stays, or has its default; `none` removes it. */
const wish = z.object({
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
    const site = requireHooked(requireSite(sites, c.req.param('id')));
    const { format, minimum, quiet, morning } = wish.parse(await c.req.json());
    const { alarms = { format: 'json', minimum: DEFAULT_MINIMUM, since: now() } } = site;
    const changed: Site = {
      ...site,
      alarms: {
        ...alarms,
        ...(format && { format }),
        ...(minimum && { minimum }),
        ...(quiet !== undefined && { quiet: orNone(quiet, parseQuietHours, QUIET_FORM) }),
        ...(morning !== undefined && { morning: orNone(morning, parseTime, MORNING_FORM) }),
      },
    };
    await sites.replace(changed);
    return c.json(toInfo(changed));
  });

  admin.delete('/sites/:id/alarms', async (c) => {
    const { alarms: _, ...site } = requireSite(sites, c.req.param('id'));
    await sites.replace(site);
    return c.json(toInfo(site));
  });

  admin.get('/sites/:id/alarms/sent', async (c) => {
    const { id } = requireSite(sites, c.req.param('id'));
    const stored = await store.webhookMessages.list(id, now() - LISTED_MS);
    return c.json(stored.reverse().map(toSent));
  });

  admin.get('/sites/:id/digest', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    return c.json((await readMorningPage({ store, exclusions }, site, now())) satisfies MorningPage);
  });

  admin.post('/sites/:id/digest', async (c) => {
    const site = requireHooked(requireSite(sites, c.req.param('id')));
    if (site.alarms === undefined)
      throw new CommandError(`Switch messages to the webhook on first: afterword alarm on ${site.id}`);
    const id = messageId(site.id, 'digest', now());
    const message = await toMorningMessage({ store, exclusions }, site, { id, now: now() });
    await store.webhookMessages.save(message);
    return c.json(toSent(message));
  });

  return admin;
}

const QUIET_FORM = 'Quiet hours are two times of the site’s zone, such as 22:00-07:00, or none';
const MORNING_FORM = 'The morning page is sent at a time of the site’s zone, such as 07:30, or none';

function orNone<T>(text: string, parse: (text: string) => T | undefined, form: string): T | undefined {
  if (text.trim().toLowerCase() === 'none') return undefined;
  const parsed = parse(text);
  if (parsed === undefined) throw new CommandError(`${form}, not "${text.slice(0, 100)}".`);
  return parsed;
}

function requireHooked(site: Site): Site {
  if (site.webhook !== undefined) return site;
  throw new CommandError(
    `${site.id} has no webhook, to which alarms are sent. Set it first: afterword site webhook ${site.id} https://…`,
  );
}

function toInfo({ id, alarms }: Pick<Site, 'id' | 'alarms'>): AlarmInfo {
  if (alarms === undefined) return { apikey: id, alarms: null };
  const { format, minimum, quiet, morning } = alarms;
  return {
    apikey: id,
    alarms: {
      ...{ format, minimum },
      quiet: quiet ? `${formatTime(quiet.from)}-${formatTime(quiet.to)}` : null,
      morning: morning === undefined ? null : formatTime(morning),
    },
  };
}

const toSent = ({ id, kind, at, text, takenAt }: StoredMessage): SentInfo => ({
  ...{ id, kind, text },
  at: new Date(at).toISOString(),
  taken: takenAt === undefined ? null : new Date(takenAt).toISOString(),
});
