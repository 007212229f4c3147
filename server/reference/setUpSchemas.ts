// The records of setting a site up.
import { z } from 'zod';
import { AUDIT_EXAMPLES, NEEDED_FIELDS, ORPHAN_DAYS } from '../contract/contentAudit.ts';
import { EVENT_KINDS, SETUP_MINUTES } from '../contract/setUp.ts';

const count = z.int().min(0);
const course = z.array(count).meta({ description: 'Of each minute, the last one not over.' });

export const setUp = {
  period_start: z.string().meta({ description: `The last ${SETUP_MINUTES} minutes; ISO 8601, UTC.` }),
  period_end: z.string().meta({ description: 'Left out itself, as in the parameter of this name.' }),
  events: z.array(
    z.strictObject({
      kind: z.enum(EVENT_KINDS).meta({ description: 'lists: reports of lists that were shown, seen or clicked.' }),
      count,
      course,
      last: z
        .strictObject({ time: z.string().meta({ description: 'ISO 8601, UTC.' }), url: z.string() })
        .nullable()
        .meta({ description: 'The newest within two days; null: none.' }),
    }),
  ),
  drops: z
    .array(
      z.strictObject({
        reason: z
          .string()
          .meta({ description: 'Why they were not stored; too-many-urls: they were, but without their page.' }),
        count,
        course,
        host: z
          .string()
          .nullable()
          .meta({ description: 'Host of the newest page of them, where the reason is `foreign-host`; else null.' }),
      }),
    )
    .meta({ description: 'Counted by the copy of the server that answers, since its start.' }),
  shared: z
    .boolean()
    .meta({ description: 'Other copies of the server may use the database and count their own drops.' }),
};

const posts = z.array(z.strictObject({ url: z.string(), title: z.string() })).meta({
  description: `The newest, at most ${AUDIT_EXAMPLES}.`,
});

export const contentAudit = {
  posts: count.meta({ description: 'Posts that lists may show: those that are not hidden and not gone.' }),
  lacking: z.array(z.strictObject({ field: z.enum(NEEDED_FIELDS), count, posts })),
  orphans: z.strictObject({ days: z.literal(ORPHAN_DAYS), count, posts }).meta({
    description:
      'Posts, published a day ago or earlier, that were neither seen in a list nor opened from another page of the site in these days.',
  }),
  gone: z
    .strictObject({
      count,
      posts: z
        .array(z.strictObject({ url: z.string(), title: z.string() }))
        .meta({ description: `The last, at most ${AUDIT_EXAMPLES}.` }),
    })
    .meta({ description: 'Posts that lists leave out because their page is gone, the last ones first.' }),
  crawl_failures: z
    .array(
      z.strictObject({
        failure: z.string().meta({ description: 'Why, as in `crawl.failure` of a stored post.' }),
        count,
        pages: z.array(
          z.strictObject({
            url: z.string(),
            tried: z.string().meta({ description: 'ISO 8601, UTC.' }),
            again: z.boolean().meta({ description: 'The crawler tries again by itself.' }),
          }),
        ),
      }),
    )
    .meta({ description: 'Pages that the crawler could not read, the most frequent reason first.' }),
};
