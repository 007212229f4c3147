// A partner lists its sites, and creates one for a customer. A new site works as soon as it is answered.
import { z } from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { BadParameters } from '../http/errors.ts';
import type { OfPartner } from '../http/guards.ts';
import { send } from '../http/send.ts';
import { SITE } from '../reference/examples.ts';
import { SiteExistsError } from '../sites/directory.ts';
import { makeSite } from '../sites/newSite.ts';
import { parseTimezone } from '../sites/parseSite.ts';
import { parseSiteId, type Site, type SiteId } from '../sites/site.ts';
import { zoneName } from '../sites/zoneName.ts';

const SENTENCES = {
  apikey: 'Give a Site ID that looks like a domain, such as example.com.',
  timezone: 'Give an IANA name such as Europe/Madrid or UTC.',
};

const NEW_SITE = z.object({
  apikey: z.string(SENTENCES.apikey).meta({ description: 'Site ID of the new site, usually its domain.' }),
  timezone: z.string(SENTENCES.timezone).meta({ description: 'IANA name; default UTC.' }).optional(),
  admin: z
    .unknown()
    .meta({ description: 'Taken and not used, like users and tracker_features: there are no accounts here.' })
    .optional(),
  users: z.unknown().optional(),
  tracker_features: z.unknown().optional(),
});

const NONE = z.object({});

const list = endpoint<typeof NONE, OfPartner>({
  summary: 'The sites a partner has made.',
  tag: 'partners',
  script: true,
  params: NONE,
  async answer({ partner, c }, { store, sites }) {
    const data = (await store.partners.sites(partner.name)).flatMap(({ site: id, createdAt, firstDay }) => {
      const site = sites.find(id);
      return site?.createdAt === createdAt ? [toRecord(site, firstDay)] : [];
    });
    return send(c, { data, success: true });
  },
});

const make = endpoint<typeof NONE, OfPartner, z.output<typeof NEW_SITE>>({
  summary: 'Makes a site for a customer; its two secrets are answered this once.',
  tag: 'partners',
  script: true,
  params: NONE,
  body: {
    schema: NEW_SITE,
    example: { apikey: `customer.${SITE}`, timezone: 'Europe/Berlin' },
    limits: { max: 64 * 1024, sentence: 'Send a JSON object with apikey.' },
  },
  async answer({ partner, body, now, c }, { store, sites }) {
    const { id, timezone } = read(body);
    const { site, secrets } = makeSite(id, { now, timezone });
    // Whose it is comes first: where it fails in between, there is no site yet, and its name can be asked for again.
    await sites.add(site, () => store.partners.own(partner.name, site)).catch(refuseTwins);
    return send(c, { data: [{ ...toRecord(site, null), ...secrets }], success: true });
  },
});

/** @throws {BadParameters} */
function read(body: z.output<typeof NEW_SITE>): { id: SiteId; timezone: string } {
  const id = parseSiteId(body.apikey);
  const timezone = parseTimezone(body.timezone || 'UTC');
  if (id === undefined || timezone === undefined) {
    throw new BadParameters({
      ...(id === undefined && { apikey: [SENTENCES.apikey] }),
      ...(timezone === undefined && { timezone: [SENTENCES.timezone] }),
    });
  }
  return { id, timezone };
}

function refuseTwins(error: unknown): never {
  if (error instanceof SiteExistsError) throw new BadParameters({ apikey: ['There is a site of this name already.'] });
  throw error;
}

/** The record of a site. Sign-up and registration have the same date, since a site is created in one step. */
function toRecord({ id, timezone, createdAt }: Site, firstDay: string | null) {
  const made = new Date(createdAt).toISOString().slice(0, 19);
  return {
    apikey: id,
    timezone: zoneName(timezone),
    registration_date: made,
    signup_date: made,
    track_start_date: firstDay,
  };
}

export const partners = { list, make };
