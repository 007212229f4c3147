// Sites as commands make, show, change and remove them.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { LoadedLibrary } from '../../library.ts';
import { makeSite } from '../../sites/newSite.ts';
import { parseDomain, parseTimezone } from '../../sites/parseSite.ts';
import { createReadSecret, createWriteSecret, hashSecret } from '../../sites/secrets.ts';
import { parseSiteId, type Site, type SiteId } from '../../sites/site.ts';
import { CommandError } from '../commandError.ts';

const features = z.object({ top: z.boolean(), recommendations: z.boolean() }).partial();

const siteChange = z.object({
  timezone: z.string().optional(),
  domains: z.array(z.string()).max(100).optional(),
  features: features.optional(),
});
const newSite = siteChange.extend({ apikey: z.string() });
const rotation = z.object({ read: z.boolean(), write: z.boolean() });

export type SiteChange = z.infer<typeof siteChange>;
export type NewSite = z.infer<typeof newSite>;
export type Rotation = z.infer<typeof rotation>;

export type SiteAdminDeps = Pick<Deps, 'now' | 'sites'> & { library: Pick<LoadedLibrary, 'forget'> };

/** What is shown of a site: everything but its hashes. */
export interface SiteInfo {
  apikey: SiteId;
  timezone: string;
  domains: string[];
  features: Site['features'];
  /** ISO 8601, UTC. */
  created: string;
}

/** Fresh secrets, in clear for the only time. */
export interface SiteSecrets {
  apikey: SiteId;
  secret?: string;
  write_secret?: string;
}

export function siteAdmin({ now, sites, library }: SiteAdminDeps): Hono {
  const admin = new Hono();

  admin.get('/sites', (c) => c.json(sites.list().map(toInfo)));

  admin.post('/sites', async (c) => {
    const wanted = newSite.parse(await c.req.json());
    const id = requireId(wanted.apikey);
    if (sites.find(id) !== undefined)
      throw new CommandError(`There is a site ${id} already. Its secrets: afterword site rotate-secret ${id}`);
    const { site: blank, secrets } = makeSite(id, { now: now() });
    await sites.add(changed(blank, wanted));
    return c.json({ apikey: id, ...secrets } satisfies SiteSecrets);
  });

  admin.get('/sites/:id', (c) => c.json(toInfo(requireSite(sites, c.req.param('id')))));

  admin.patch('/sites/:id', async (c) => {
    const site = changed(requireSite(sites, c.req.param('id')), siteChange.parse(await c.req.json()));
    await sites.replace(site);
    return c.json(toInfo(site));
  });

  admin.post('/sites/:id/secrets', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const { read, write } = rotation.parse(await c.req.json());
    const secret = read ? createReadSecret() : undefined;
    const write_secret = write ? createWriteSecret() : undefined;
    await sites.replace({
      ...site,
      secretHash: secret === undefined ? site.secretHash : hashSecret(secret),
      writeSecretHash: write_secret === undefined ? site.writeSecretHash : hashSecret(write_secret),
    });
    return c.json({ apikey: site.id, secret, write_secret } satisfies SiteSecrets);
  });

  admin.delete('/sites/:id', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    await sites.remove(site.id);
    library.forget(site.id);
    return c.json(toInfo(site));
  });

  return admin;
}

/** @throws {CommandError} when there is no such site. */
export function requireSite(sites: Pick<Deps['sites'], 'find'>, text: string): Site {
  const id = requireId(text);
  const site = sites.find(id);
  if (site === undefined) throw new CommandError(`There is no site ${id}. Those there are: afterword site list`);
  return site;
}

function requireId(text: string): SiteId {
  const id = parseSiteId(text);
  if (id !== undefined) return id;
  throw new CommandError(`A Site ID looks like a domain, such as example.com; "${text}" does not.`);
}

function changed(site: Site, change: SiteChange): Site {
  return {
    ...site,
    timezone: change.timezone === undefined ? site.timezone : requireTimezone(change.timezone),
    domains: change.domains === undefined ? site.domains : [...new Set(change.domains.map(requireDomain))],
    features: { ...site.features, ...change.features },
  };
}

function requireTimezone(text: string): string {
  const timezone = parseTimezone(text);
  if (timezone !== undefined) return timezone;
  throw new CommandError(`--timezone takes an IANA name such as Europe/Madrid or UTC, not "${text}".`);
}

function requireDomain(text: string): string {
  const domain = parseDomain(text);
  if (domain !== undefined) return domain;
  throw new CommandError(`--domain takes a host such as www.example.com or localhost:3000, not "${text}".`);
}

function toInfo(site: Site): SiteInfo {
  return {
    apikey: site.id,
    timezone: site.timezone,
    domains: site.domains,
    features: site.features,
    created: new Date(site.createdAt).toISOString(),
  };
}
