// Posts as commands look at them.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import type { Post } from '../../posts/post.ts';
import { CommandError } from '../commandError.ts';
import { requireSite } from './sites.ts';

/** What is shown of a post: what is known, but its text. */
export interface PostInfo {
  url: string;
  page_type: Post['pageType'];
  title: string;
  /** ISO 8601, UTC; "" when unknown. */
  pub_date: string;
  section: string;
  authors: string[];
  tags: string[];
  image_url: string;
  thumb_url: string;
  language: string;
  word_count: number;
  post_id: string;
  metadata: string;
  /** Since when there is no page at its address: ISO 8601, UTC; "": there is one. */
  gone: string;
  /** ISO 8601, UTC. */
  updated: string;
}

export interface PostDetail extends PostInfo {
  /** Other addresses of the post. */
  aliases: string[];
}

const listing = z.object({ limit: z.coerce.number().int().min(1).max(100_000) });

export function postAdmin({ sites, store, library }: Pick<Deps, 'sites' | 'store' | 'library'>): Hono {
  const admin = new Hono();

  admin.get('/sites/:id/posts', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const { limit } = listing.parse(c.req.query());
    const aliases = await store.posts.aliases(site.id);
    // The row of an address that a post had before stays stored.
    const isPost = ({ url }: Post) => (aliases.get(url) ?? url) === url;
    let newest: PostInfo[] = [];
    for await (const posts of store.posts.stream(site.id)) {
      newest = [...newest, ...posts.filter(isPost).map(toInfo)].sort(byDate).slice(0, limit);
    }
    return c.json(newest);
  });

  admin.get('/sites/:id/post', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const asked = c.req.query('url') ?? '';
    const canonical = await library.resolve(site.id, asked);
    const [post] = await store.posts.get(site.id, [canonical]);
    if (post === undefined) throw new CommandError(`${site.id} knows no post at ${asked}.`);
    const aliases = [...(await store.posts.aliases(site.id))].flatMap(([alias, of]) =>
      of === post.url && alias !== of ? [alias] : [],
    );
    return c.json({ ...toInfo(post), aliases } satisfies PostDetail);
  });

  return admin;
}

const byDate = (a: PostInfo, b: PostInfo) => (a.pub_date === b.pub_date ? 0 : a.pub_date < b.pub_date ? 1 : -1);

function toInfo(post: Post): PostInfo {
  return {
    url: post.url,
    page_type: post.pageType,
    title: post.title,
    pub_date: post.pubDate === null ? '' : new Date(post.pubDate).toISOString(),
    section: post.section,
    authors: post.authors,
    tags: post.tags,
    image_url: post.imageUrl,
    thumb_url: post.thumbUrl,
    language: post.language,
    word_count: post.wordCount,
    post_id: post.postId,
    metadata: post.metadata,
    gone: post.goneAt === undefined ? '' : new Date(post.goneAt).toISOString(),
    updated: new Date(post.updatedAt).toISOString(),
  };
}
