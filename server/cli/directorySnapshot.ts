// A snapshot of what a server must know to take events: its sites, partners and keys, as the database last said. A
// start while the database is away reads it from the data folder. Secrets are in it as hashes, but for the keys and
// what signs webhooks, so the file is its owner's alone.
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { DIALS } from '../contract/dials.ts';
import { REFERRER_CATEGORIES } from '../contract/referrers.ts';
import { writeDurably } from '../durableFile.ts';
import { StoreUnavailableError, undefinedIfMissing } from '../errors.ts';
import type { Experiment } from '../experiments/experiment.ts';
import { createFailureLog } from '../failureLog.ts';
import { parseJson } from '../posts/parseJson.ts';
import type { RuleSet } from '../rules/ruleSet.ts';
import type { AlarmSettings } from '../sites/alarmSettings.ts';
import type { MailRecipient } from '../sites/mail.ts';
import type { Partner } from '../sites/partner.ts';
import { parseSiteId, type Site, type SiteId } from '../sites/site.ts';
import type { Store } from '../storage/store.ts';

const dialsSchema = z.partialRecord(z.enum(DIALS.map(({ name }) => name)), z.number());

const siteSchema = z.object({
  id: z.string().transform((text, context): SiteId => {
    const id = parseSiteId(text);
    if (id !== undefined) return id;
    context.addIssue('No Site ID.');
    return z.NEVER;
  }),
  timezone: z.string(),
  domains: z.array(z.string()),
  features: z.object({ top: z.boolean(), recommendations: z.boolean(), search: z.boolean() }),
  secretHash: z.string(),
  writeSecretHash: z.string(),
  eventMetadata: z.boolean().optional(),
  segmentKeys: z.array(z.string()).optional(),
  retiring: z.array(z.object({ kind: z.enum(['read', 'write']), hash: z.string(), until: z.number() })).optional(),
  referrers: z.array(z.tuple([z.string(), z.enum([...REFERRER_CATEGORIES, 'direct'])])).optional(),
  dials: dialsSchema.optional(),
  // As this server wrote them.
  experiments: z.array(z.custom<Experiment>()).readonly().optional(),
  rules: z.array(z.custom<RuleSet>()).readonly().optional(),
  webhook: z.object({ url: z.string(), secret: z.string() }).optional(),
  // As this server wrote them.
  alarms: z.custom<AlarmSettings>().optional(),
  mail: z.array(z.custom<MailRecipient>()).readonly().optional(),
  quotas: z
    .object({ keepEvents: z.number(), maxEventsPerDay: z.number(), maxPosts: z.number(), maxDisk: z.number() })
    .partial()
    .optional(),
  createdAt: z.number(),
});

const snapshotSchema = z.object({
  version: z.literal(1),
  /** Id of the database it was read from. */
  installation: z.string(),
  sites: z.array(siteSchema),
  partners: z.array(z.object({ name: z.string(), secretHash: z.string(), createdAt: z.number() })),
  keys: z.record(z.string(), z.string()),
});

type Kept = z.input<typeof snapshotSchema>;

export interface DirectorySnapshot {
  sites: readonly Site[];
  partners: Partner[];
  keys: Record<string, string>;
}

/** @returns undefined where there is none of this database, or none that this version can read. */
export async function readSnapshot(path: string, installation: string): Promise<DirectorySnapshot | undefined> {
  const text = await readFile(path, 'utf8').catch(undefinedIfMissing);
  if (text === undefined) return undefined;
  const parsed = snapshotSchema.safeParse(parseJson(text));
  if (!parsed.success || parsed.data.installation !== installation) return undefined;
  const { sites, partners, keys } = parsed.data;
  return { sites: sites.map(toSite), partners, keys };
}

function toSite({
  eventMetadata,
  segmentKeys,
  retiring,
  referrers,
  dials,
  experiments,
  rules,
  webhook,
  alarms,
  mail,
  quotas,
  ...site
}: Kept['sites'][number] & { id: SiteId }): Site {
  return {
    ...site,
    ...(eventMetadata && { eventMetadata }),
    ...(segmentKeys && { segmentKeys }),
    ...(retiring && { retiring }),
    ...(referrers && { referrers: new Map(referrers) }),
    ...(dials && { dials }),
    ...(experiments && { experiments }),
    ...(rules && { rules }),
    ...(webhook && { webhook }),
    ...(alarms && { alarms }),
    ...(mail && { mail }),
    ...(quotas && { quotas }),
  };
}

export interface SnapshotOptions {
  path: string;
  installation: string;
  /** Answers while the database has not been opened. Default: nothing does. */
  before: DirectorySnapshot | undefined;
  isOpen(): boolean;
  log: Logger;
  /** Monotonic milliseconds. Default: those of the process. */
  clock?(): number;
}

/** What is known, in its file. */
function createFile(
  known: DirectorySnapshot,
  { path, installation, log, clock = () => performance.now() }: SnapshotOptions,
): { keep(isNew: boolean): Promise<void> } {
  // Sites and partners are read, and written again, every ten seconds.
  const failures = createFailureLog(log, clock);
  /** What is known has been written. */
  let isWritten = false;
  let writing: Promise<void> = Promise.resolve();

  function write(): Promise<void> {
    const kept: Kept = {
      version: 1,
      installation,
      sites: known.sites.map(({ segmentKeys, retiring, referrers, ...site }) => ({
        ...site,
        segmentKeys: segmentKeys && [...segmentKeys],
        retiring: retiring && [...retiring],
        referrers: referrers && [...referrers],
      })),
      partners: known.partners,
      keys: known.keys,
    };
    const text = `${JSON.stringify(kept)}\n`;
    return writing
      .then(() => writeDurably(path, [Buffer.from(text)]))
      .catch((err: unknown) => {
        isWritten = false;
        const message = 'the snapshot of the sites could not be written; a start while the database is away needs it';
        failures.add('sites', err, message);
      });
  }

  return {
    keep(isNew) {
      if (isNew) isWritten = false;
      if (!isWritten) {
        isWritten = true;
        writing = write();
      }
      return writing;
    },
  };
}

/**
 * The same roles of the store: what they answer goes into the snapshot once the database is on a server, and the
 * snapshot answers while the database is not open.
 */
export function withSnapshot(
  store: Pick<Store, 'sites' | 'partners' | 'keys' | 'isShared'>,
  options: SnapshotOptions,
): Pick<Store, 'sites' | 'partners' | 'keys'> {
  const { before, isOpen } = options;
  const known: DirectorySnapshot = { sites: [], partners: [], keys: {}, ...before };
  const file = createFile(known, options);
  /** Counts changes of our own, so that a list read before one of them does not undo it. */
  let changes = 0;

  /** A change is acknowledged when it is in the file, too: a secret that was revoked opens nothing after a start. */
  async function keepNow(changed: Partial<DirectorySnapshot>): Promise<void> {
    changes++;
    Object.assign(known, changed);
    if (store.isShared()) await file.keep(true);
  }

  /** @param take Returns whether what was found is new. */
  async function orKnown<T>(asked: Promise<T>, known: T | undefined, take: (found: T) => boolean): Promise<T> {
    try {
      const found = await asked;
      const isNew = take(found);
      if (store.isShared()) void file.keep(isNew);
      return found;
    } catch (error) {
      if (isOpen() || known === undefined || !(error instanceof StoreUnavailableError)) throw error;
      return known;
    }
  }

  return {
    sites: {
      ...store.sites,
      async save(site, now) {
        await store.sites.save(site, now);
        await keepNow({ sites: [...known.sites.filter(({ id }) => id !== site.id), site] });
      },
      async remove(id) {
        await store.sites.remove(id);
        await keepNow({ sites: known.sites.filter((site) => site.id !== id) });
      },
      list() {
        const earlier = changes;
        return orKnown(store.sites.list(), before?.sites, (sites) => {
          if (changes !== earlier) return false;
          const isNew = sites !== known.sites;
          known.sites = sites;
          return isNew;
        });
      },
    },
    partners: {
      ...store.partners,
      async save(partner, now) {
        await store.partners.save(partner, now);
        await keepNow({ partners: [...known.partners.filter(({ name }) => name !== partner.name), partner] });
      },
      async remove(partner, now) {
        await store.partners.remove(partner, now);
        await keepNow({ partners: known.partners.filter(({ name }) => name !== partner.name) });
      },
      list() {
        const earlier = changes;
        return orKnown(store.partners.list(), before?.partners, (partners) => {
          if (changes !== earlier) return false;
          // They are few.
          const isNew = JSON.stringify(partners) !== JSON.stringify(known.partners);
          known.partners = partners;
          return isNew;
        });
      },
    },
    keys: {
      agree: (name, proposed) =>
        orKnown(store.keys.agree(name, proposed), before?.keys[name], (key) => {
          const isNew = key !== known.keys[name];
          known.keys[name] = key;
          return isNew;
        }),
    },
  };
}
