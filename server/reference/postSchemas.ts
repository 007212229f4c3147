// Records about one post: its growth, and what is stored of it beside what its page says.
import { z } from 'zod';

const count = z.int().min(0);
const moment = z.string().meta({ description: 'ISO 8601, UTC.' });

export const growth = z.strictObject({
  unit: z.enum(['hour', 'day']),
  age: count.meta({
    description:
      'Hours after the publication, or days of the site’s calendar, that of the publication being the first.',
  }),
  until: z.string().meta({ description: 'The end of it: ISO 8601, with the offset of the site’s time zone.' }),
  partial: z.boolean().meta({ description: 'It is not over yet.' }),
  views: count.meta({
    description: 'From the publication up to the age; of days, from the beginning of the first one.',
  }),
  typical: z.strictObject({ posts: count, low: z.number(), median: z.number(), high: z.number() }).nullable().meta({
    description:
      'Median and middle half of the posts it is compared with, up to the same age; null where they are fewer than five. A post without a section is compared with those of the site.',
  }),
});

const FACTS = [
  'url',
  'page_type',
  'title',
  'section',
  'authors',
  'tags',
  'pub_date',
  'image_url',
  'language',
  'words',
] as const;

const facts = z.strictObject({
  url: z.string().meta({ description: 'Canonical URL.' }),
  page_type: z.string(),
  title: z.string(),
  section: z.string(),
  authors: z.array(z.string()),
  tags: z.array(z.string()),
  pub_date: z.string().meta({ description: 'ISO 8601, UTC, with Z; "" when unknown.' }),
  image_url: z.string(),
  language: z.string(),
  words: count,
});

export const storedPost = z.strictObject({
  stored: facts,
  sent: z.array(z.enum(FACTS)).meta({ description: 'Fields that the publisher sent: its page does not change them.' }),
  read: facts.nullable().meta({ description: 'What its page said when it was read last; null: that is not known.' }),
  aliases: z.array(z.string()).meta({ description: 'Its other addresses, the first hundred.' }),
  hidden: z.boolean(),
  gone: moment.nullable().meta({
    description:
      'Since when there is no page at its address: lists that readers see leave it out, its traffic counts. null: there is one.',
  }),
  thumbnail: z.string().meta({ description: 'Path of a small picture on this server; "" where there is none.' }),
  updated: moment,
  crawl: z
    .strictObject({
      read: moment.nullable().meta({ description: 'When it was read last; null: never.' }),
      due: moment.nullable().meta({ description: 'When it is read next; null: when that is asked for.' }),
      requested: z.boolean().meta({ description: 'It was asked for, and is read before all others.' }),
      failure: z.string().meta({ description: 'What hindered the last attempt; "" where nothing did.' }),
      attempts: count,
    })
    .nullable()
    .meta({ description: 'null: the crawler never met its page.' }),
});
