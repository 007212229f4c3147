// URLs that a publisher hides from every answer, for 90 days at most. They are compared without resolution: results
// carry canonical URLs, so hiding an alias has no effect.
import { z } from 'zod';
import { MAX_EXCLUDED_URLS } from '../contract/limits.ts';
import { endpoint, type Parts } from '../http/endpoint.ts';
import { BadParameters } from '../http/errors.ts';
import { detailOf } from '../http/lists.ts';
import { url } from '../http/params.ts';
import type { SiteId } from '../sites/site.ts';

const DONE = { data: [], success: true };

const ignore = endpoint({
  summary: 'Hides a canonical URL from lists, details and recommendations.',
  params: z.object({ url }),
  async answer({ site, params }, parts) {
    if (!(await parts.exclusions.ignore(site.id, params.url))) {
      const sentence = `Give a URL once there is room: ${MAX_EXCLUDED_URLS} URLs are hidden already. /exclude/include shows one again.`;
      throw new BadParameters({ url: [sentence] });
    }
    forgetLists(parts, site.id);
    return DONE;
  },
});

const include = endpoint({
  summary: 'Shows a hidden URL again.',
  params: z.object({ url }),
  async answer({ site, params }, parts) {
    await parts.exclusions.include(site.id, params.url);
    forgetLists(parts, site.id);
    return DONE;
  },
});

const list = endpoint({
  summary: 'The URLs hidden now.',
  record: 'Url',
  params: z.object({}),
  async answer(ask, parts) {
    const data = [...(await parts.exclusions.of(ask.site.id))].sort();
    return detailOf(parts, ask, { data, metrics: [], sort: 'url' });
  },
});

/** Lists cached in memory, which a change invalidates. */
function forgetLists({ lists, lastGood }: Pick<Parts, 'lists' | 'lastGood'>, site: SiteId): void {
  for (const kept of [lists, lastGood]) kept.forget(site);
}

export const exclude = { ignore, include, list };
