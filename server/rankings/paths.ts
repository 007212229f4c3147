// The pages of the site before and after a post, each with what is known about it.
import { type ListedPost, unknownPage } from '../posts/toPostRecord.ts';
import type { TrafficStore } from '../storage/store.ts';
import { compileAddresses } from '../traffic/countPosts.ts';
import { compilePaths, type PathsQuestion } from '../traffic/paths.ts';
import { describePosts, type Ranked, type RankedPage } from './rankings.ts';

/** @param question.url Canonical URL of the post. */
export async function rankPaths(
  store: TrafficStore,
  { url, ...question }: Omit<PathsQuestion, 'pages'> & { url: string },
): Promise<RankedPage<Ranked & { post: ListedPost }>> {
  const { scope, limit } = question;
  const pages = (await store.run(compileAddresses(scope, [url]))).map(({ page }) => String(page));
  if (pages.length === 0) return { records: [], more: false };
  const rows = await store.run(compilePaths({ ...question, pages }));
  const shown = rows.slice(0, limit).map(({ name, views }) => ({ name: String(name), hits: Number(views) }));
  const posts = await describePosts(
    store,
    scope.site,
    shown.map(({ name }) => name),
  );
  const records = shown.map(({ name, hits }) => ({
    name,
    hits,
    metrics: { views: hits },
    post: posts.get(name) ?? unknownPage(name),
  }));
  return { records, more: rows.length > limit };
}
