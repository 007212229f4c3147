// What a site writes beside its curves: a deploy, a newsletter, an outage. The rules, and the bound on their number.
import { createHash } from 'node:crypto';
import { DEFAULT_KIND, MAX_ANNOTATIONS } from '../contract/annotations.ts';
import type { AnnotationStore } from '../storage/annotations.ts';
import type { SiteId } from './site.ts';

export interface Annotation {
  /** Names it for its removal. */
  id: string;
  /** Epoch milliseconds. */
  at: number;
  kind: string;
  label: string;
  /** Canonical URL of the post that it is about; "": the whole site. */
  url: string;
}

/** The id is made of all it says, so that a script that repeats its request writes one annotation. */
export function createAnnotation(content: { label: string; at: number; kind?: string; url?: string }): Annotation {
  const { label, at, kind = DEFAULT_KIND, url = '' } = content;
  const said = JSON.stringify([at, kind, label, url]);
  return { id: createHash('sha256').update(said).digest('hex').slice(0, 12), at, kind, label, url };
}

/**
 * Stores an annotation. Beyond the bound the oldest one goes: a script that deploys must not fail one day because of
 * what it wrote years ago.
 * @param of.most How many the site may have. Default: 1,000.
 * @returns false, with nothing changed, where a site with as many as it may have has none that is older.
 */
export async function addAnnotation(
  store: AnnotationStore,
  site: SiteId,
  { annotation, now, most = MAX_ANNOTATIONS }: { annotation: Annotation; now: number; most?: number },
): Promise<boolean> {
  const known = await store.list(site);
  if (known.some(({ id }) => id === annotation.id)) return true;
  const tooMany = known.slice(most - 1);
  if (tooMany.some(({ at }) => at > annotation.at)) return false;
  await store.save(site, annotation, now);
  for (const { id } of tooMany) await store.remove(site, id, now);
  return true;
}
