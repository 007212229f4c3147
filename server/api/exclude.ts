// URLs that a publisher hides from every answer, for 90 days at most. They are compared in the form that declared URLs
// have, without resolution: results carry canonical URLs, so hiding an alias has no effect.
import { z } from 'zod';
import { MAX_EXCLUDED_URLS } from '../contract/limits.ts';
import { endpoint, type Parts } from '../http/endpoint.ts';
import { BadParameters } from '../http/errors.ts';
import { detailOf } from '../http/lists.ts';
import { flag, url } from '../http/params.ts';
import { canonicalUrl } from '../posts/canonicalUrl.ts';
import type { SiteId } from '../sites/site.ts';

const DONE = { data: [], success: true };

const CHANGE = z.object({
  url: url.transform((written) => canonicalUrl(written) ?? written),
  dry_run: flag('1: changes nothing, and answers what would be answered.').optional(),
});

const ignore = endpoint({
  summary: 'Hides a canonical URL from lists, details and recommendations.',
  params: CHANGE,
  tool: false,
  changes: true,
  async answer({ site, params }, parts) {
    const { exclusions } = parts;
    const has = params.dry_run
      ? await hasRoom(exclusions, site.id, params.url)
      : await exclusions.ignore(site.id, params.url);
    if (!has) {
      const sentence = `Give a URL once there is room: ${MAX_EXCLUDED_URLS} URLs are hidden already. /exclude/include shows one again.`;
      throw new BadParameters({ url: [sentence] });
    }
    if (params.dry_run) return DONE;
    forgetAnswers(parts, site.id);
    return DONE;
  },
});

const include = endpoint({
  summary: 'Shows a hidden URL again.',
  params: CHANGE,
  tool: false,
  changes: true,
  async answer({ site, params }, parts) {
    if (params.dry_run) return DONE;
    await parts.exclusions.include(site.id, params.url);
    forgetAnswers(parts, site.id);
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

async function hasRoom(exclusions: Parts['exclusions'], site: SiteId, wanted: string): Promise<boolean> {
  const hidden = await exclusions.of(site);
  return hidden.has(wanted) || hidden.size < MAX_EXCLUDED_URLS;
}

/** Answers that are cached in memory: a change invalidates them. */
function forgetAnswers({ lists, lastGood, looks }: Pick<Parts, 'lists' | 'lastGood' | 'looks'>, site: SiteId): void {
  for (const kept of [lists, lastGood, looks]) kept.forget(site);
}

export const exclude = { ignore, include, list };
