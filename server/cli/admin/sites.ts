// Sites as commands make, show, change and remove them.
import { domainToASCII } from 'node:url';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { changeDials, DIALS } from '../../contract/dials.ts';
import { DAY } from '../../durations.ts';
import { StoreUnavailableError } from '../../errors.ts';
import type { LoadedLibrary } from '../../siteIndex/types.ts';
import { SiteExistsError } from '../../sites/directory.ts';
import { makeSite } from '../../sites/newSite.ts';
import { parseDomain, parseTimezone } from '../../sites/parseSite.ts';
import type { Quotas } from '../../sites/quotas.ts';
import { changeRules, MOST_RULES, parseRule, type ReferrerRules, type RuleChange } from '../../sites/referrerRules.ts';
import { createReadSecret, createWriteSecret, hashSecret } from '../../sites/secrets.ts';
import { MAX_SEGMENT_KEYS, parseSegmentKey } from '../../sites/segmentKeys.ts';
import { parseSiteId, type RetiringSecret, type Site, type SiteId } from '../../sites/site.ts';
import { changeQuotas, QUOTA_BOUNDS, type QuotaName, type QuotaUse } from '../../sites/siteQuotas.ts';
import { CommandError } from '../commandError.ts';
import { forgetImportsOf } from '../transfer/ledger.ts';
import { type SiteInfo, stillOpening, toInfo } from './siteInfo.ts';

const MAX_OVERLAP_MS = 90 * DAY;
/** Secrets of a site that may open beside the current ones. */
const MOST_RETIRING = 10;

const features = z.object({ top: z.boolean(), recommendations: z.boolean(), search: z.boolean() }).partial();

const quota = (name: QuotaName) =>
  z.number().int().min(QUOTA_BOUNDS[name].min).max(QUOTA_BOUNDS[name].max).nullable().optional();
/** null clears one. */
const quotas = z.object({
  keepEvents: quota('keepEvents'),
  maxEventsPerDay: quota('maxEventsPerDay'),
  maxPosts: quota('maxPosts'),
  maxDisk: quota('maxDisk'),
});

const dials = z.partialRecord(z.enum(DIALS.map(({ name }) => name)), z.number().min(0).max(1).nullable());

const siteChange = z.object({
  timezone: z.string().optional(),
  domains: z.array(z.string()).max(100).optional(),
  features: features.optional(),
  /** Each `host=category`, or `host=none`. */
  referrers: z.array(z.string().max(300)).max(MOST_RULES).optional(),
  eventMetadata: z.boolean().optional(),
  /** Keys to be mapped beside those that are. */
  segmentKeys: z.array(z.string()).max(100).optional(),
  removedSegmentKeys: z.array(z.string()).max(100).optional(),
  dials: dials.optional(),
  quotas: quotas.optional(),
});
const newSite = siteChange.extend({ apikey: z.string() });
const rotation = z.object({
  read: z.boolean(),
  write: z.boolean(),
  /** How long the replaced secrets stay valid. */
  overlapMs: z.number().int().min(0).max(MAX_OVERLAP_MS).default(0),
});

export type SiteChange = z.infer<typeof siteChange>;
export type NewSite = z.infer<typeof newSite>;
export type Rotation = z.input<typeof rotation>;

export type SiteAdminDeps = Pick<Deps, 'now' | 'sites' | 'store'> & {
  /** The data folder. */
  data: string;
  library: Pick<LoadedLibrary, 'forget'>;
  quotas: Pick<Quotas, 'read' | 'uses'>;
};

/** Fresh secrets, in clear for the only time. */
export interface SiteSecrets {
  apikey: SiteId;
  secret?: string;
  write_secret?: string;
}

/** How many secrets stopped opening. */
export interface Revoked {
  apikey: SiteId;
  ended: number;
}

export function siteAdmin({ now, sites, store, data, library, quotas }: SiteAdminDeps): Hono {
  const admin = new Hono();

  async function describe(...some: readonly Site[]): Promise<SiteInfo[]> {
    // Sites are in memory, and shown also while the database is away.
    const unknown = (error: unknown) => {
      if (error instanceof StoreUnavailableError) return undefined;
      throw error;
    };
    const last = await store.siteSizes.lastEvents().catch(unknown);
    const uses = some.some((site) => site.quotas) ? ((await quotas.read().catch(unknown)) ?? quotas.uses()) : [];
    return some.map((site) => ({
      ...toInfo(site, now()),
      ...(site.quotas && { used: usedOf(site, uses) }),
      ...(last !== undefined && { last_event: last.get(site.id) ?? null }),
    }));
  }

  admin.get('/sites', async (c) => c.json(await describe(...sites.list())));

  admin.post('/sites', async (c) => {
    const wanted = newSite.parse(await c.req.json());
    const id = requireId(wanted.apikey);
    if (sites.find(id) !== undefined) throw existsAlready(id);
    const { site: blank, secrets } = makeSite(id, { now: now() });
    await sites.add(changed(blank, wanted)).catch((error: unknown) => {
      throw error instanceof SiteExistsError ? existsAlready(id) : error;
    });
    return c.json({ apikey: id, ...secrets } satisfies SiteSecrets);
  });

  admin.get('/sites/:id', async (c) => c.json((await describe(requireSite(sites, c.req.param('id'))))[0]));

  admin.patch('/sites/:id', async (c) => {
    const { id } = requireSite(sites, c.req.param('id'));
    const wanted = siteChange.parse(await c.req.json());
    return c.json((await describe(await sites.change(id, (site) => changed(site, wanted))))[0]);
  });

  admin.post('/sites/:id/secrets', async (c) => {
    const { id } = requireSite(sites, c.req.param('id'));
    const { read, write, overlapMs } = rotation.parse(await c.req.json());
    const secret = read ? createReadSecret() : undefined;
    const write_secret = write ? createWriteSecret() : undefined;
    await sites.change(id, (site) => ({
      ...site,
      secretHash: secret === undefined ? site.secretHash : hashSecret(secret),
      writeSecretHash: write_secret === undefined ? site.writeSecretHash : hashSecret(write_secret),
      retiring: retire(site, { read, write, overlapMs, now: now() }),
    }));
    return c.json({ apikey: id, secret, write_secret } satisfies SiteSecrets);
  });

  admin.delete('/sites/:id/secrets', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const ended = stillOpening(site, now());
    await sites.change(site.id, (current) => ({ ...current, retiring: [] }));
    return c.json({ apikey: site.id, ended: ended.length } satisfies Revoked);
  });

  admin.delete('/sites/:id', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    await sites.remove(site.id);
    library.forget(site.id);
    await forgetImportsOf(data, site.id);
    return c.json(toInfo(site, now()));
  });

  return admin;
}

const existsAlready = (id: SiteId) =>
  new CommandError(`There is a site ${id} already. Its secrets: afterword site rotate-secret ${id}`);

const usedOf = ({ id }: Site, uses: readonly QuotaUse[]): SiteInfo['used'] =>
  Object.fromEntries(
    uses.flatMap(({ site, quota, used }) => (site === id && used !== undefined ? [[quota, used] as const] : [])),
  );

/**
 * The replaced secrets that stay valid beside the new ones. Without an overlap those of the kinds that are replaced all
 * end: who replaces a secret at once means that nothing older opens.
 */
function retire(
  site: Site,
  change: { read: boolean; write: boolean; overlapMs: number; now: number },
): RetiringSecret[] {
  const until = change.now + change.overlapMs;
  const replaced: RetiringSecret[] = [
    ...(change.read ? [{ kind: 'read' as const, hash: site.secretHash, until }] : []),
    ...(change.write ? [{ kind: 'write' as const, hash: site.writeSecretHash, until }] : []),
  ];
  const earlier = stillOpening(site, change.now).filter(({ kind }) => change.overlapMs > 0 || !change[kind]);
  const retiring = change.overlapMs > 0 ? [...earlier, ...replaced] : earlier;
  if (retiring.length <= MOST_RETIRING) return retiring;
  throw new CommandError(
    `${site.id} has ${earlier.length} old secrets that still open. End them first: afterword site revoke-secrets ${site.id}`,
  );
}

/** Behind the sentence that there is no site of a name. */
export const OTHER_SITES = 'Those there are: afterword site list';

/** @throws {CommandError} when there is no such site. */
export function requireSite(sites: Pick<Deps['sites'], 'find'>, text: string): Site {
  const id = requireId(text);
  const site = sites.find(id);
  if (site === undefined) throw new CommandError(`There is no site ${id}. ${OTHER_SITES}`);
  return site;
}

export function requireId(text: string): SiteId {
  const id = parseSiteId(text);
  if (id !== undefined) return id;
  // Browsers send a host with letters beyond ASCII in its other form.
  const ascii = domainToASCII(text.trim());
  throw new CommandError(
    parseSiteId(ascii) === undefined
      ? `A Site ID looks like a domain, such as example.com; "${text}" does not.`
      : `A Site ID has the letters of ASCII alone: ${text.trim()} is ${ascii}.`,
    2,
  );
}

function changed({ quotas, dials, ...site }: Site, change: SiteChange): Site {
  const dialled = changeDials(dials, change.dials ?? {});
  const bounds = changeQuotas(quotas, change.quotas ?? {});
  return {
    ...site,
    ...(bounds && { quotas: bounds }),
    ...(dialled && { dials: dialled }),
    timezone: change.timezone === undefined ? site.timezone : requireTimezone(change.timezone),
    domains: change.domains === undefined ? site.domains : [...new Set(change.domains.map(requireDomain))],
    features: { ...site.features, ...change.features },
    ...(change.referrers !== undefined && { referrers: changedRules(site, change.referrers) }),
    eventMetadata: change.eventMetadata ?? site.eventMetadata ?? false,
    segmentKeys: changedKeys(site, change),
  };
}

function changedRules({ id, referrers = new Map() }: Site, said: readonly string[]): ReferrerRules {
  const rules = changeRules(referrers, said.map(requireRule));
  if (rules.size <= MOST_RULES) return rules;
  throw new CommandError(
    `${id} would have ${rules.size} rules for referrers; ${MOST_RULES} is the most. Remove some: --referrer host=none`,
  );
}

function requireRule(text: string): RuleChange {
  const rule = parseRule(text);
  if (typeof rule !== 'string') return rule;
  throw new CommandError(rule, 2);
}

function changedKeys(
  { id, segmentKeys = [] }: Site,
  { segmentKeys: added = [], removedSegmentKeys: removed = [] }: SiteChange,
) {
  const unknown = removed.find((key) => !segmentKeys.includes(key));
  if (unknown !== undefined) {
    const known = segmentKeys.length > 0 ? `It has ${segmentKeys.join(', ')}.` : 'It has none.';
    throw new CommandError(`"${unknown}" is no segment key of ${id}. ${known}`);
  }
  const keys = [...new Set([...segmentKeys.filter((key) => !removed.includes(key)), ...added.map(requireSegmentKey)])];
  if (keys.length <= MAX_SEGMENT_KEYS) return keys;
  throw new CommandError(
    `A site has at most ${MAX_SEGMENT_KEYS} segment keys. Remove one first: afterword site change ${id} --remove-segment-key <key>`,
  );
}

function requireSegmentKey(text: string): string {
  const key = parseSegmentKey(text);
  if (key !== undefined) return key;
  throw new CommandError(
    `--segment-key takes a key of an event's data, at most 64 characters long, that trackers do not use themselves, not "${text}".`,
    2,
  );
}

function requireTimezone(text: string): string {
  const timezone = parseTimezone(text);
  if (timezone !== undefined) return timezone;
  throw new CommandError(`--timezone takes an IANA name such as Europe/Madrid or UTC, not "${text}".`, 2);
}

function requireDomain(text: string): string {
  const domain = parseDomain(text);
  if (domain !== undefined) return domain;
  throw new CommandError(`--domain takes a host such as www.example.com or localhost:3000, not "${text}".`, 2);
}
