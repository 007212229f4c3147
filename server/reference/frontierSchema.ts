// The record of what the mix dial gives.
import { z } from 'zod';
import { FRONTIER_STATES, LEAST_NEXT_READS, LEAST_POSTS } from '../contract/frontier.ts';

const count = z.int().min(0);
const share = (description: string) => z.number().min(0).max(1).meta({ description });
const mix = share('A setting of the mix dial.');

const point = z.strictObject({
  mix,
  kept: share('Of the ten posts of the page alone, those that are still among ten.'),
  mrr: share('Mean of 1 / rank of the post that was read next, among twenty; 0 where it is not.'),
  hit_rate: share('Of the next reads, those among twenty.'),
  coverage: share('Of the lists, those with ten posts.'),
  shown: share('Of the site’s posts, those that were ever among ten.'),
  age: z.number().meta({ description: 'Median age of the posts among ten, in days.' }),
  diversity: share('Of the pairs in ten, those that have neither section, author nor tag in common.'),
});

const result = z.strictObject({
  measured: z.string().meta({ description: 'ISO 8601, UTC.' }),
  posts: count.meta({ description: 'That were measured.' }),
  all_posts: count.meta({ description: 'Of the site: where there are more, the newest were measured.' }),
  views: count.meta({ description: 'Page views of posts, of at most 28 days.' }),
  questions: count.meta({ description: 'Next reads of the second half that were predicted.' }),
  points: z.array(point).meta({ description: 'Of the second half of the views, in the order of their mix.' }),
  recommended: share('The mix that the first half chooses.'),
  confirmed: share('The mix that the second half alone would choose.'),
  says: z.array(z.string()).meta({ description: 'The recommendation in sentences.' }),
});

export const frontier = z.strictObject({
  state: z.enum(FRONTIER_STATES).meta({
    description: `none: never measured. too-few: it takes ${LEAST_POSTS} posts, and ${LEAST_NEXT_READS} next reads in either half of the views.`,
  }),
  started: z.string().nullable().meta({ description: 'When the last measurement began; ISO 8601, UTC.' }),
  progress: z.strictObject({ done: count, total: count }).nullable().meta({
    description: 'Views gone through; a total of 0 while posts and views are read. null: no measurement runs.',
  }),
  reason: z.string().nullable().meta({ description: 'Why there is no new result, where the state says so.' }),
  result: result.nullable().meta({ description: 'Of the last measurement that succeeded; null: none has.' }),
});
