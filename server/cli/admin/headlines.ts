// Alternative titles and pictures of posts, as commands add, list, show and stop them.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { parseMetadata } from '../../posts/parseMetadata.ts';
import { toHeadlineRecord } from '../../posts/toHeadlineRecord.ts';
import { describeHeadline } from '../../rankings/countAlternatives.ts';
import type { SiteId } from '../../sites/site.ts';
import { CommandError, type ExitCode } from '../commandError.ts';
import { requireSite } from './sites.ts';

const body = z.object({ url: z.string(), alternatives: z.unknown() });
const naming = z.object({ url: z.string() });

type HeadlineDeps = Pick<Deps, 'now' | 'sites' | 'store' | 'library'>;

export function headlineAdmin({ now, sites, store, library }: HeadlineDeps): Hono {
  const admin = new Hono();

  const requirePost = async (site: SiteId, asked: string) => {
    const [post] = await store.posts.get(site, [await library.resolve(site, asked)]);
    return post ?? refuse(`${site} knows no post at ${asked}.`);
  };

  admin.get('/sites/:id/headlines', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const asked = c.req.query('url');
    if (asked === undefined)
      return c.json((await store.posts.tested(site.id)).flatMap((post) => toHeadlineRecord(post) ?? []));
    const post = await requirePost(site.id, asked);
    const found = await describeHeadline(store.traffic, site, { post, now: now() });
    return c.json(found ?? refuse(`Nothing is or was compared at ${post.url}.`));
  });

  admin.post('/sites/:id/headlines', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const { url: asked, alternatives } = body.parse(await c.req.json());
    const { url } = await requirePost(site.id, asked);
    const parsed = parseMetadata({ canonical_url: url, alternatives }, { kind: 'posts' });
    if (!parsed.ok) return refuse(Object.values(parsed.errors).flat().join(' '), 2);
    const { alternatives: others } = parsed.value.patch;
    const patch = { ...(others && { alternatives: others }) };
    return c.json(toHeadlineRecord(await library.write(site.id, url, { patch })));
  });

  admin.patch('/sites/:id/headlines', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const { url: asked } = naming.parse(await c.req.json());
    const { url, alternatives } = await requirePost(site.id, asked);
    if (alternatives === undefined || alternatives.end)
      refuse(`Nothing is compared at ${url}. See what is: afterword headline list ${site.id}`);
    return c.json(toHeadlineRecord(await library.write(site.id, url, { patch: { alternatives: [] } })));
  });

  return admin;
}

function refuse(message: string, exitCode: ExitCode = 1): never {
  throw new CommandError(message, exitCode);
}
