// `afterword evaluate <site-id>`: the frontier between page and readers on a site's own posts and stored views.
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { parsePost } from '../../evaluation/articleSet.ts';
import { ReadingLog, toReading } from '../../evaluation/readingLog.ts';
import { parseJson } from '../../posts/parseJson.ts';
import { REMEMBERED_MS } from '../../readers/behaviour/settings.ts';
import type { IndexedPost } from '../../textindex/catalogue.ts';
import { CommandError } from '../commandError.ts';
import { type Reach, withReach } from '../reach.ts';
import { sitePath } from '../sitePath.ts';
import { requirePictureName } from './frontierPicture.ts';
import { type EvaluateFlags, evaluateLog, readLinks } from './runEvaluate.ts';

/** @throws {CommandError} when there is no such site, or it has no posts or too few views. */
export async function evaluateSite(site: string, flags: EvaluateFlags): Promise<void> {
  if (flags.picture !== undefined) requirePictureName(flags.picture);
  const { posts, log } = await withReach(flags, async (reach) => {
    const read = await readPosts(reach, site);
    return { posts: read.posts, log: await readViews(reach, site, read.canonical) };
  });
  if (posts.length === 0) throw new CommandError(`${site} has no posts yet: afterword crawl ${site} fills it.`);
  const related = await readLinks(flags.related, posts);
  await evaluateLog({ ...flags, site }, log, { posts, related });
}

/** The posts of a site, and which address leads to which of them. */
async function readPosts(reach: Reach, site: string) {
  const posts: IndexedPost[] = [];
  const canonical = new Map<string, string>();
  await readRecords(reach, sitePath(site, '/export/posts'), (record) => {
    const post = parsePost(record);
    posts.push(post);
    if (!post.listed) return;
    for (const url of [post.url, ...aliasesOf(record)]) canonical.set(url, post.url);
  });
  return { posts, canonical };
}

/** Only posts count: a front page belongs to everything. */
async function readViews(reach: Reach, site: string, canonical: ReadonlyMap<string, string>): Promise<ReadingLog> {
  const to = Date.now();
  const period = new URLSearchParams({ from: String(to - REMEMBERED_MS), to: String(to) });
  const log = new ReadingLog();
  await readRecords(reach, sitePath(site, `/views?${period}`), (record) => {
    const reading = toReading(record);
    const post = reading && canonical.get(reading.post);
    if (reading && post) log.add({ ...reading, post });
  });
  return log.inOrder();
}

async function readRecords(reach: Reach, path: string, take: (record: Record<string, unknown>) => void): Promise<void> {
  await reach.read(path, async (body) => {
    const input = Readable.from(body, { objectMode: false });
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const record = parseJson(line);
      if (typeof record === 'object' && record !== null) take(record as Record<string, unknown>);
    }
  });
}

const aliasesOf = ({ urls }: Record<string, unknown>): string[] =>
  Array.isArray(urls) ? urls.filter((url) => typeof url === 'string') : [];
