// Annotations of a site's curves as commands write, list and remove them.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { MAX_ANNOTATIONS } from '../../contract/annotations.ts';
import { ANNOTATION_INPUT, annotationOf } from '../../http/annotationInput.ts';
import { type Annotation, addAnnotation } from '../../sites/annotations.ts';
import { CommandError } from '../commandError.ts';
import { requireSite } from './sites.ts';

export type AnnotationInfo = Omit<Annotation, 'at'> & {
  /** ISO 8601, UTC. */
  time: string;
};

const BODY = z.object(ANNOTATION_INPUT);

const toInfo = ({ at, ...annotation }: Annotation): AnnotationInfo => ({
  ...annotation,
  time: new Date(at).toISOString(),
});

export function annotationAdmin({
  now,
  sites,
  store,
  library,
}: Pick<Deps, 'now' | 'sites' | 'store' | 'library'>): Hono {
  const admin = new Hono();

  admin.get('/sites/:id/annotations', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    return c.json((await store.annotations.list(site.id)).map(toInfo));
  });

  admin.post('/sites/:id/annotations', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const { url, ...input } = BODY.parse(await c.req.json());
    const about = url === undefined ? {} : { url: await library.resolve(site.id, url) };
    const at = now();
    const annotation = annotationOf({ ...input, ...about }, { now: at, zone: site.timezone });
    if (typeof annotation === 'string') throw new CommandError(annotation, 2);
    if (await addAnnotation(store.annotations, site.id, { annotation, now: at })) return c.json(toInfo(annotation));
    throw new CommandError(`${site.id} has ${MAX_ANNOTATIONS} later annotations, and keeps no more.`);
  });

  admin.delete('/sites/:id/annotations/:annotation', async (c) => {
    const site = requireSite(sites, c.req.param('id'));
    const id = c.req.param('annotation');
    const removed = await store.annotations.remove(site.id, id, now());
    if (removed !== undefined) return c.json(toInfo(removed));
    throw new CommandError(
      `${site.id} has no annotation ${id}. afterword annotation list ${site.id} lists those it has.`,
    );
  });

  return admin;
}
