// A snapshot of the hidden URLs of each site, as the database last said: a server that was started while its database
// is away must not show what was hidden.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { withDeadline } from '../deadline.ts';
import { writeDurably } from '../durableFile.ts';
import { StoreUnavailableError, undefinedIfMissing } from '../errors.ts';
import { createFailureLog } from '../failureLog.ts';
import { createKeyedQueue } from '../keyedQueue.ts';
import { pathExists } from '../pathExists.ts';
import { parseJson } from '../posts/parseJson.ts';
import type { SiteId } from '../sites/site.ts';
import type { ExclusionStore } from '../storage/store.ts';

/**
 * A database that hangs is noticed after some seconds: readers wait so long for it, and get what it said last. Less
 * than the second after which a list counts its hidden URLs as unknown.
 */
const PATIENCE_MS = 750;

const schema = z.array(z.string());

export interface ExclusionSnapshotOptions {
  /** Made when something is to be kept. */
  folder: string;
  /** Whether the database is on a server, which may be away: nothing is kept before. */
  isShared(): boolean;
  log: Logger;
  /** Monotonic milliseconds. Default: those of the process. */
  clock?(): number;
}

/** The same store: what it lists is kept in a file for each site, which answers while the database is away. */
export function withExclusionSnapshot(
  store: ExclusionStore,
  { folder, isShared, log, clock = () => performance.now() }: ExclusionSnapshotOptions,
): ExclusionStore {
  const fileOf = (site: SiteId) => join(folder, `${encodeURIComponent(site)}.hidden`);
  const failures = createFailureLog(log, clock);
  /** Of each site, what was written to its file last: JSON. */
  const written = new Map<SiteId, string>();

  /** Several requests read what is hidden at once, and each writes it. */
  const writes = createKeyedQueue();

  const keep = (site: SiteId, urls: readonly string[]): Promise<void> => writes.run(site, () => write(site, urls));

  async function write(site: SiteId, urls: readonly string[]): Promise<void> {
    if (!isShared()) return;
    const text = JSON.stringify([...urls].sort());
    // The file is removed with its site, and a site of the same id may have been made since.
    if (written.get(site) === text && (await pathExists(fileOf(site)))) return;
    written.set(site, text);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeDurably(fileOf(site), [Buffer.from(text)]);
    } catch (err) {
      written.delete(site);
      const message = 'the hidden URLs of a site could not be kept; a start while the database is away needs them';
      failures.add('hidden URLs', err, message, { site });
    }
  }

  async function kept(site: SiteId): Promise<string[] | undefined> {
    const text =
      written.get(site) ?? (await readFile(fileOf(site), 'utf8').catch(undefinedIfMissing).catch(unreadable));
    if (text === undefined) return undefined;
    const parsed = schema.safeParse(parseJson(text));
    return parsed.success ? parsed.data : unreadable(parsed.error);

    function unreadable(err: unknown): undefined {
      const message = 'the hidden URLs of a site cannot be read from its file; its lists wait for the database';
      failures.add('kept URLs', err, message, { site });
    }
  }

  return {
    async list(site, now) {
      if (!isShared()) return await store.list(site, now);
      const reading = store.list(site, now).then(async (urls) => {
        await keep(site, urls);
        return urls;
      });
      const urls = await withDeadline(reading, PATIENCE_MS, () => undefined).catch((error: unknown) => {
        if (error instanceof StoreUnavailableError) return undefined;
        throw error;
      });
      return urls ?? (await kept(site)) ?? (await reading);
    },
    async add(site, url, now) {
      await store.add(site, url, now);
      await keep(site, [...new Set([...((await kept(site)) ?? []), url])]);
    },
    async remove(site, url, now) {
      await store.remove(site, url, now);
      await keep(
        site,
        ((await kept(site)) ?? []).filter((other) => other !== url),
      );
    },
  };
}
