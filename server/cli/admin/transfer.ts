// Views and posts of a site coming in from files and going out to them.
import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { bindingsOf } from '../../http/bindings.ts';
import { OTHER } from '../../ingest/cardinality/cardinalityLimit.ts';
import type { EventRow } from '../../ingest/eventRow.ts';
import { Pipeline } from '../../ingest/pipeline.ts';
import { mergeMetadata } from '../../posts/mergeMetadata.ts';
import type { Post } from '../../posts/post.ts';
import type { LoadedLibrary } from '../../siteIndex/types.ts';
import type { PostQuota } from '../../sites/postQuota.ts';
import type { Site, SiteId } from '../../sites/site.ts';
import type { Store } from '../../storage/store.ts';
import { CommandError } from '../commandError.ts';
import { exportPost, type ImportedPost, importPost } from '../transfer/postRow.ts';
import type { StoredBatches } from '../transfer/storedBatch.ts';
import { importVector } from '../transfer/vectorRow.ts';
import { exportView, importView } from '../transfer/viewRow.ts';
import { requireSite } from './sites.ts';

export type TransferDeps = Pick<Deps, 'now' | 'sites' | 'store'> & {
  quotas: { posts: Pick<PostQuota, 'room' | 'added'> };
  library: Pick<LoadedLibrary, 'ready' | 'pageOf' | 'writeBeside' | 'writeVectors' | 'clearVectors'>;
  batches: Pick<StoredBatches, 'once'>;
  /** Absent where a command opened the data, which says itself what failed. */
  live?: { log: Logger } | undefined;
};

const batch = z.object({
  lines: z.array(z.unknown()).max(5_000),
  token: z.string().regex(/^[\w-]{1,100}$/),
  /** When the site was made, as the import read it at its beginning. */
  made: z.string().optional(),
});
const period = z.object({ from: z.coerce.number().int().min(0), to: z.coerce.number().int().min(0) });

/** What became of each line of a batch, in order: `stored`, `early` (stored, for a post to come), or why not. */
export interface BatchReport {
  outcomes: string[];
}

export function transferAdmin({ now, sites, store, library, quotas, batches, live }: TransferDeps): Hono {
  const admin = new Hono();
  const pipeline = pipelineOf({ sites, library });

  /** @returns By address, those of the posts that are stored now. */
  async function savePosts(site: SiteId, urls: readonly string[], said: readonly ImportedPost[]) {
    const known = new Map((await store.posts.get(site, urls)).map((post) => [post.url, post]));
    const room = (await quotas.posts.room(site)) + known.size;
    const stored = known.size;
    for (const one of said)
      if (known.has(one.url) || known.size < room) known.set(one.url, withLine(known.get(one.url), one, now()));
    await store.posts.save(site, [...known.values()]);
    quotas.posts.added(site, known.size - stored);
    for (const one of said.filter(({ url }) => known.has(url)))
      await saveAliases(store.posts, { site, ...one, now: now() });
    return known;
  }

  admin.post('/sites/:id/views', async (c) => {
    const { lines, token, made } = batch.parse(await c.req.json());
    const site = requireSiteMadeAt(sites, c.req.param('id'), made);
    const outcomes = await batches.once(token, async () => {
      // Addresses with a query may be those of posts, which must be in memory to be recognized.
      if (lines.some(hasQuery)) await library.ready(site.id);
      const found = lines.map((line) => importView(line, { site, now: now(), pipeline }));
      const rows = found.filter((outcome): outcome is EventRow => typeof outcome !== 'string');
      if (rows.length > 0) await store.events.append(rows, token);
      return found.map((outcome) => (typeof outcome === 'string' ? outcome : 'stored'));
    });
    return c.json({ outcomes } satisfies BatchReport);
  });

  admin.post('/sites/:id/posts', async (c) => {
    const { lines, made } = batch.parse(await c.req.json());
    const site = requireSiteMadeAt(sites, c.req.param('id'), made);
    const found = lines.map(importPost);
    const said = found.flatMap((parsed) => (parsed.ok ? [parsed.value] : []));
    const urls = [...new Set(said.map(({ url }) => url))];
    const known = await library.writeBeside(site.id, urls, () => savePosts(site.id, urls, said));
    const outcomes = found.map((parsed) => {
      if (!parsed.ok) return `bad ${Object.keys(parsed.errors).sort().join(', ')}`;
      return known.has(parsed.value.url) ? 'stored' : 'beyond the quota of posts';
    });
    return c.json({ outcomes } satisfies BatchReport);
  });

  admin.post('/sites/:id/vectors', async (c) => {
    const { lines, made } = batch.parse(await c.req.json());
    const site = requireSiteMadeAt(sites, c.req.param('id'), made);
    const found = lines.map(importVector);
    const vectors = found.filter((one) => typeof one !== 'string');
    const kept = (await library.writeVectors(site.id, vectors)).values();
    const outcomes = found.map((one) => (typeof one === 'string' ? one : kept.next().value!));
    return c.json({ outcomes } satisfies BatchReport);
  });

  admin.delete('/sites/:id/vectors', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    await library.clearVectors(site.id);
    return c.json({});
  });

  admin.get('/sites/:id/views', (c) => {
    const site = requireSite(sites, c.req.param('id'));
    return sendLines(store.archive.read(site.id, period.parse(c.req.query())), exportView, brokenOff(c, live?.log));
  });

  admin.get('/sites/:id/export/posts', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const toLine = toPostLine(await store.posts.aliases(site.id));
    return sendLines(store.posts.stream(site.id), toLine, brokenOff(c, live?.log));
  });

  return admin;
}

/**
 * The site that an import began with.
 * @throws {CommandError} for one that was removed and made again since: the record of the import is of the former one,
 * so the same file would count again there.
 */
function requireSiteMadeAt(sites: TransferDeps['sites'], id: string, made: string | undefined): Site {
  const site = requireSite(sites, id);
  if (made === undefined || made === new Date(site.createdAt).toISOString()) return site;
  throw new CommandError(
    `The site ${id} was removed and made again since this import began, and is not given the rest of the file. ` +
      'The same command brings the whole file.',
  );
}

/** The steps of live traffic, for lines of a file. */
const pipelineOf = ({ sites, library }: Pick<TransferDeps, 'sites' | 'library'>): Pipeline =>
  new Pipeline({
    findSite: (id) => sites.find(id),
    pageOf: (site, url) => library.pageOf(site, url),
    salt: () => '',
    // An export writes it of views whose page was beyond the limit.
    names: [OTHER],
  });

const hasQuery = (line: unknown) => JSON.stringify(line).includes('?');

function withLine(known: Post | undefined, { url, patch, read, goneAt }: ImportedPost, now: number): Post {
  const hasRead = Object.keys(read).length > 0;
  const ofPage = hasRead ? mergeMetadata(known, { url, patch: read, by: 'page', now }) : known;
  const post = mergeMetadata(ofPage, { url, patch, now });
  return goneAt === undefined ? post : mergeMetadata(post, { url, patch: { goneAt }, by: 'page', now });
}

/** A post that has moved may still have a row at its former address, which is one of its aliases: no line. */
function toPostLine(canonical: ReadonlyMap<string, string>): (post: Post) => object | undefined {
  const aliases = new Map<string, string[]>();
  for (const [alias, of] of canonical) aliases.set(of, [...(aliases.get(of) ?? []), alias]);
  return (post) =>
    (canonical.get(post.url) ?? post.url) === post.url ? exportPost(post, aliases.get(post.url) ?? []) : undefined;
}

/** ClickHouse servers are asked for them in an address, which may have 1 MiB. */
const ALIASES_AT_ONCE = 100;

type OfAliases = Pick<ImportedPost, 'url' | 'aliases'> & { site: SiteId; now: number };

async function saveAliases(posts: Store['posts'], { site, url, aliases, now }: OfAliases): Promise<void> {
  for (let at = 0; at < aliases.length; at += ALIASES_AT_ONCE)
    await posts.alias(site, url, aliases.slice(at, at + ALIASES_AT_ONCE), now);
}

/**
 * What is done about an export that fails in the middle. A server closes the connection itself: an error that reaches
 * the HTTP layer would be printed as it is, beside the line of the log.
 */
function brokenOff(c: Context, log: Logger | undefined): (err: unknown) => void {
  const { outgoing } = bindingsOf(c);
  return (err) => {
    log?.error({ err }, 'an export broke off');
    if (outgoing === undefined) throw err;
    // After its head, so that the reader sees an answer that broke off; a reader that has left gets none.
    const end = () => (outgoing.headersSent || outgoing.destroyed ? void outgoing.destroy() : void setImmediate(end));
    end();
  };
}

/**
 * One JSON object a line, as fast as the reader takes them. A failure breaks the answer off, so that none looks whole.
 * @param toLine Undefined: no line.
 * @param failed Throws, or ends the connection.
 */
function sendLines<T>(
  batches: AsyncIterable<readonly T[]>,
  toLine: (item: T) => object | undefined,
  failed: (err: unknown) => void,
): Response {
  const reading = batches[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await reading.next().catch(failed);
      if (next === undefined) return;
      if (next.done) controller.close();
      else controller.enqueue(linesOf(next.value.map(toLine)));
    },
    async cancel() {
      await reading.return?.();
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'application/x-ndjson' } });
}

const linesOf = (items: readonly (object | undefined)[]): Uint8Array =>
  Buffer.from(items.flatMap((item) => (item === undefined ? [] : `${JSON.stringify(item)}\n`)).join(''));
