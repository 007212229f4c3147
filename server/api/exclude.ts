// GET /v2/exclude/{ignore,include,list}: URLs a publisher hides from every answer, for 90 days at most.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../context.ts';
import { MAX_EXCLUDED_URLS } from '../contract/limits.ts';
import type { HttpEnv } from '../http/auth.ts';
import { get } from '../http/endpoint.ts';
import { BadParameters } from '../http/errors.ts';
import type { HotLists } from '../http/hotLists.ts';
import { detailOf } from '../http/lists.ts';
import { url } from '../http/params.ts';

const DONE = { data: [], success: true };

/**
 * URLs are taken as they are: results carry canonical URLs, so hiding an alias hides nothing.
 * @param kept Lists in memory, which a change makes wrong.
 */
export function exclude(
  deps: Pick<Deps, 'sites' | 'exclusions' | 'settings' | 'now'>,
  kept: readonly Pick<HotLists, 'forget'>[],
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();

  get(app, deps, {
    path: '/exclude/ignore',
    guard: 'secret',
    summary: 'Hides a canonical URL from lists, details and recommendations.',
    params: z.object({ url }),
    async answer({ site, params }) {
      if (!(await deps.exclusions.ignore(site.id, params.url))) {
        const sentence = `Give a URL once there is room: ${MAX_EXCLUDED_URLS} URLs are hidden already. /exclude/include shows one again.`;
        throw new BadParameters({ url: [sentence] });
      }
      for (const lists of kept) lists.forget(site.id);
      return DONE;
    },
  });

  get(app, deps, {
    path: '/exclude/include',
    guard: 'secret',
    summary: 'Shows a hidden URL again.',
    params: z.object({ url }),
    async answer({ site, params }) {
      await deps.exclusions.include(site.id, params.url);
      for (const lists of kept) lists.forget(site.id);
      return DONE;
    },
  });

  get(app, deps, {
    path: '/exclude/list',
    guard: 'secret',
    summary: 'The URLs hidden now.',
    record: 'Url',
    params: z.object({}),
    async answer(ask) {
      const data = [...(await deps.exclusions.of(ask.site.id))].sort();
      return detailOf(deps, ask, { data, metrics: [], sort: 'url' });
    },
  });

  return app;
}
