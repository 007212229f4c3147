// Alternative titles and pictures of posts, as commands add, list and stop them.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import type { Alternatives } from '../../posts/alternatives.ts';
import { parseMetadata } from '../../posts/parseMetadata.ts';
import type { PostCard } from '../../posts/post.ts';
import type { SiteId } from '../../sites/site.ts';
import { CommandError } from '../commandError.ts';
import { requireSite } from './sites.ts';

/** A test of titles or pictures. */
export interface HeadlineInfo {
  url: string;
  state: 'running' | 'won' | 'stopped';
  /** ISO 8601, UTC. */
  started: string;
  ended: string | null;
  /** Number of the alternative that won. */
  winner: number | null;
  /** By number, from 1: the post's own first. Those without a title or picture have the post's own. */
  alternatives: { title: string; image_url: string; share: number }[];
}

const wish = z.object({ url: z.string(), alternatives: z.unknown() });
const naming = z.object({ url: z.string() });

export function headlineAdmin({ sites, store, library }: Pick<Deps, 'sites' | 'store' | 'library'>): Hono {
  const admin = new Hono();

  const requirePost = async (site: SiteId, asked: string) => {
    const [post] = await store.posts.get(site, [await library.resolve(site, asked)]);
    return post ?? refuse(`${site} knows no post at ${asked}.`);
  };

  admin.get('/sites/:id/headlines', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    return c.json((await store.posts.tested(site.id)).flatMap(toInfo));
  });

  admin.post('/sites/:id/headlines', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const { url: asked, alternatives } = wish.parse(await c.req.json());
    const { url } = await requirePost(site.id, asked);
    const parsed = parseMetadata({ canonical_url: url, alternatives }, { kind: 'posts' });
    if (!parsed.ok) return refuse(Object.values(parsed.errors).flat().join(' '));
    const { alternatives: others } = parsed.said.patch;
    return c.json(toInfo(await library.write(site.id, url, { patch: { ...(others && { alternatives: others }) } }))[0]);
  });

  admin.patch('/sites/:id/headlines', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const { url: asked } = naming.parse(await c.req.json());
    const { url, alternatives } = await requirePost(site.id, asked);
    if (alternatives === undefined || alternatives.end)
      refuse(`Nothing is compared at ${url}. See what is: afterword headline list ${site.id}`);
    return c.json(toInfo(await library.write(site.id, url, { patch: { alternatives: [] } }))[0]);
  });

  return admin;
}

function toInfo({ alternatives: test, ...post }: PostCard): HeadlineInfo[] {
  if (test === undefined) return [];
  const own = test.end?.own ?? post;
  return [
    {
      url: post.url,
      state: stateOf(test),
      started: new Date(test.startedAt).toISOString(),
      ended: test.end === undefined ? null : new Date(test.end.at).toISOString(),
      winner: test.end?.winner ?? null,
      alternatives: test.shares.map((share, index) => {
        const { title = own.title, imageUrl = own.imageUrl } = test.others[index - 1] ?? {};
        return { title, image_url: imageUrl, share };
      }),
    },
  ];
}

const stateOf = ({ end }: Alternatives): HeadlineInfo['state'] =>
  end === undefined ? 'running' : end.winner === undefined ? 'stopped' : 'won';

function refuse(message: string): never {
  throw new CommandError(message);
}
