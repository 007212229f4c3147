// A site now, beside what is usual, for its editors.
import { z } from 'zod';
import { NOW_FIGURES } from '../contract/now.ts';
import { endpoint } from '../http/endpoint.ts';
import { detailOf } from '../http/lists.ts';
import { texts, whole } from '../http/params.ts';

const MAX_POSTS = 50;

export const now = endpoint({
  summary:
    'The last five minutes beside what is usual for this weekday and hour: readers, views, engaged time, the posts that are read with their last hour, sections, referrers, kinds of sources, and the course of today.',
  record: 'Now',
  isLive: true,
  params: z.object({
    posts: whole({
      min: 1,
      max: MAX_POSTS,
      default: 10,
      what: 'Posts that are listed, those with most readers first.',
    }),
    section: texts('Posts in this section; in any of them when repeated.'),
  }),
  async answer(ask, parts) {
    const { id, timezone, quotas } = ask.site;
    const { posts, section } = ask.params;
    const sections = [...new Set(section)].sort();
    const question = { site: id, zone: timezone, keepEvents: quotas?.keepEvents, sections, posts };
    const record = await parts.looks.look(question, ask.now);
    return detailOf(parts, ask, { data: [record], metrics: NOW_FIGURES, sort: 'visitors' });
  },
});
