// Tests of titles and pictures: those of a site, or what is known of one.
import { z } from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { detailOf } from '../http/lists.ts';
import { url } from '../http/params.ts';
import { toHeadlineRecord } from '../posts/toHeadlineRecord.ts';
import { describeHeadline } from '../rankings/countAlternatives.ts';

export const headlines = endpoint({
  summary:
    'The posts whose titles or pictures are or were compared, each with the shares of its readers; one of them with what readers did, and how likely each is the best.',
  record: 'Headline',
  params: z.object({
    url: url.optional().meta({ description: 'This post alone, by any address of it, with what readers did.' }),
  }),
  async answer(ask, deps) {
    const { site, params, now } = ask;
    const { posts, traffic } = deps.store;
    const shownAs = { metrics: params.url === undefined ? [] : ['seen', 'clicks', 'quality_clicks'], sort: 'url' };
    if (params.url === undefined)
      return detailOf(deps, ask, {
        data: (await posts.tested(site.id)).flatMap((post) => toHeadlineRecord(post) ?? []),
        ...shownAs,
      });
    const [post] = await posts.get(site.id, [await deps.library.resolve(site.id, params.url)]);
    const found = post && (await describeHeadline(traffic, site, { post, now }));
    return detailOf(deps, ask, { data: found ? [found] : [], ...shownAs });
  },
});
