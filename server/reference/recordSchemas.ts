// Schemas of answers for the reference document. The server does not validate its answers; a test validates real
// answers with these schemas, so that the document stays correct.
import { z } from 'zod';
import { ENDINGS, GOALS, MEASURED, RANKINGS, RATES, STATES, VERDICTS } from '../contract/experiments.ts';
import { ITEM_SOURCES } from '../contract/ledger.ts';
import { REFERRER_CATEGORIES } from '../contract/referrers.ts';
import { SCORE_PARTS } from '../recommend/explain.ts';
import { LIST_GROUPS } from '../traffic/ledger/question.ts';
import { annotation, more } from './annotationSchema.ts';
import { frontier } from './frontierSchema.ts';
import { headline } from './headlineSchema.ts';
import { now } from './nowSchemas.ts';
import { growth, storedPost } from './postSchemas.ts';
import { ruleSet } from './ruleSetSchema.ts';
import { interval, totals } from './seriesSchemas.ts';
import { settings } from './settingsSchema.ts';
import { contentAudit, setUp } from './setUpSchemas.ts';

const count = z.int().min(0);
const metrics = z
  .record(z.string(), z.number())
  .meta({ description: 'The metric the list is sorted by, its inputs, and what `metrics` asks for.' });

const described = {
  title: z.string(),
  url: z.string().meta({ description: 'Canonical URL, bare.' }),
  link: z.string().meta({ description: 'The same as `url`.' }),
  author: z.string().meta({ description: 'Names joined by ", ".' }),
  authors: z.array(z.string()),
  section: z.string(),
  tags: z.array(z.string()),
  image_url: z.string(),
  thumb_url_medium: z.string(),
};

const shown = {
  alternatives: z
    .array(
      z.strictObject({
        title: z.string(),
        image_url: z.string(),
        thumb_url_medium: z.string(),
        share: z.number().min(0).max(1).meta({ description: 'Share of the readers.' }),
      }),
    )
    .optional()
    .meta({ description: 'While several titles or pictures are compared: the post’s own first.' }),
};

const top = {
  ...described,
  pub_date: z.string().meta({ description: '`YYYY-MM-DDTHH:MM:SS`, UTC; "" when unknown.' }),
  full_content_word_count: count,
  metadata: z.string().meta({ description: '"" or JSON text.' }),
};

const counted = { _hits: count.meta({ description: 'Page views; of videos, starts.' }), metrics };
const post = { ...top, ...counted };

const explanation = z
  .strictObject({
    score: z.number(),
    made: z.enum(['product', 'mix', 'sum', 'recent', 'rule']).meta({
      description:
        'How the parts make the score: multiplied; words and readers added, then multiplied; added; or nothing was relevant, and what is read most now or new is shown; or a rule of editors pins the post.',
    }),
    parts: z.strictObject(
      Object.fromEntries(
        SCORE_PARTS.map(({ name, description }) => [name, z.number().optional().meta({ description })]),
      ),
    ),
    relevance: z
      .strictObject({ closeness: z.number(), least: z.number() })
      .optional()
      .meta({ description: 'Closeness in all words, tags and authors, and the least it takes to be shown.' }),
    terms: z
      .array(z.strictObject({ term: z.string(), share: z.number() }))
      .meta({ description: 'Words, pairs of words and tags in common, with their share of the closeness in words.' }),
  })
  .meta({ description: 'With explain=1 and the secret only.' });

const share = z.number().min(0).max(1);

const listFigures = z.strictObject({
  lists: count.optional().meta({
    description: 'Lists shown. Absent where figures are of items: groups and filters of positions, sources and posts.',
  }),
  seen: count.meta({
    description: 'Items of which half was in the window for a second, in a visible tab: each once a page view.',
  }),
  clicks: count,
  click_rate: share.meta({ description: 'Clicks by items seen.' }),
  click_rate_low: share.meta({ description: 'Lower end of its 95 % interval (Wilson).' }),
  click_rate_high: share.meta({ description: 'Upper end of it.' }),
  quality_clicks: count.meta({ description: 'Clicks whose view was followed by 15 engaged seconds or more.' }),
  views_caused: count.meta({
    description: 'First views of the post by the reader who clicked, within 30 minutes of the click.',
  }),
  recirculation: share.meta({ description: 'Share of all page views, of the day or hour where figures are by these.' }),
  engaged_minutes: z.number().min(0).meta({ description: 'On the posts of these views.' }),
});

const variants = z.array(
  z.strictObject({
    name: z.string(),
    share: count.meta({ description: 'Percent of the readers.' }),
    layout: z.string().optional(),
    heading: z.string().optional(),
    limit: count.optional(),
    slot: z.string().optional(),
    ranking: z.enum(RANKINGS).optional(),
    rules: z.string().optional(),
    list: z.literal('none').optional(),
  }),
);

const running = z
  .array(z.strictObject({ name: z.string(), slot: z.string(), variants }))
  .meta({ description: 'The running experiments of the site, for the widget. Absent where there are none.' });

/** Lists that experiments may change. */
const SHOWN_IN_SLOTS: readonly RecordName[] = ['Related', 'TopPost'];

const probability = share.meta({
  description: 'Where there is no difference, evidence ever seems this large in at most this share of experiments.',
});

const experimentRates = z
  .strictObject(Object.fromEntries(RATES.map((name) => [name, z.number()])))
  .partial(Object.fromEntries(MEASURED.map((name) => [name, true])))
  .meta({ description: `${MEASURED.join(' and ')}: left out where no page measured it.` });

const experimentResult = z
  .strictObject({
    counted: z.string().meta({ description: 'When; ISO 8601, UTC.' }),
    readers: count.meta({ description: 'Readers who were shown the list, or would have been.' }),
    verdict: z.enum(VERDICTS).meta({
      description:
        'broken: readers do not come in the intended shares; harm: a guardrail is worse; wins: a variant is better than the control; none: none is; wait: this is not decided.',
    }),
    about: z.string().nullable().meta({ description: 'The variant that the verdict is about.' }),
    says: z.array(z.string()).meta({ description: 'Who leads, by how much, how sure that is, what to do.' }),
    sample_ratio: z.strictObject({ wrong: z.boolean(), p_value: probability }),
    variants: z.array(
      z.strictObject({
        name: z.string(),
        readers: count,
        rates: experimentRates,
        comparisons: z.array(
          z.strictObject({
            metric: z.enum(RATES),
            difference: z.number().nullable().meta({ description: 'To the control; null: too little is known.' }),
            low: z
              .number()
              .nullable()
              .meta({ description: 'Lower end of its interval, also where one looks each day.' }),
            high: z.number().nullable(),
            p_value: probability,
            decided: z.enum(['better', 'worse']).nullable(),
          }),
        ),
      }),
    ),
  })
  .meta({ description: 'Where one experiment is asked for; of one that has ended, as it was then.' });

/** Records by name, as `Endpoint.record` refers to them. */
export const RECORDS = {
  Post: z.strictObject(post),
  PostDetail: z.strictObject({ ...post, avg_engaged: z.number() }),
  SharedPost: z.strictObject({ ...post, _shares: count }),
  Conversion: z.strictObject({
    ...post,
    conversion_type: z.string().optional(),
    conversion_label: z.string().optional(),
    conversion_metrics: z.array(
      z.strictObject({
        attribution_type: z.string(),
        conversion_type: z.string(),
        conversion_label: z.string(),
        conversions: z.number(),
        converting_visitors: count,
      }),
    ),
  }),
  TopPost: z.strictObject({ ...top, ...shown }),
  Related: z.strictObject({
    ...described,
    ...shown,
    pub_date: z.string().meta({ description: 'ISO 8601, UTC, with Z.' }),
    source: z.enum(ITEM_SOURCES).meta({ description: 'Why it stands there.' }),
    explain: explanation.optional(),
  }),
  Author: z.strictObject({ author: z.string(), name: z.string(), ...counted }),
  Section: z.strictObject({ section: z.string(), name: z.string(), ...counted }),
  Tag: z.strictObject({ tag: z.string(), name: z.string(), ...counted }),
  Channel: z.strictObject({ channel: z.string(), name: z.string(), ...counted }),
  Campaign: z.strictObject({ campaign: z.string(), name: z.string(), ...counted }),
  Segment: z.strictObject({ segment: z.string(), name: z.string(), ...counted }),
  Referrer: z.strictObject({
    name: z.string(),
    type: z.enum(['social', 'search', 'other', 'internal', 'direct']),
    category: z
      .enum([...REFERRER_CATEGORIES, 'direct'])
      .meta({ description: 'Finer than the type: aggregators and assistants are of type other.' }),
    ...counted,
  }),
  Interval: z.strictObject({
    ...interval,
    previous: z
      .strictObject(interval)
      .optional()
      .meta({ description: 'With compare=previous: the interval of the same place in the period before.' }),
  }),
  Now: z.strictObject(now),
  SetUp: z.strictObject(setUp),
  ContentAudit: z.strictObject(contentAudit),
  SharedAuthor: z.strictObject({ author: z.string(), name: z.string(), ...counted, _shares: count }),
  SharedSection: z.strictObject({ section: z.string(), name: z.string(), ...counted, _shares: count }),
  SharedTag: z.strictObject({ tag: z.string(), name: z.string(), ...counted, _shares: count }),
  ListFigures: z.strictObject({
    group: z.enum(LIST_GROUPS).meta({ description: 'As asked.' }),
    name: z.string().meta({
      description:
        'Of the group: a kind of list, a slot, a position, the URL of a page or post, `YYYY-MM-DD` or `YYYY-MM-DDTHH:00` in the site’s time zone …',
    }),
    title: z.string().meta({ description: 'Of a post, and of a page that is one; "" of other groups.' }),
    metrics: listFigures,
  }),
  Shares: z.strictObject({ tw: count, fb: count, li: count, pi: count, total: count }),
  Experiment: z.strictObject({
    name: z.string(),
    slot: z.string(),
    goal: z.enum(GOALS),
    readers: count.meta({ description: 'Readers after which it ends.' }),
    state: z.enum(STATES),
    started: z.string().meta({ description: 'ISO 8601, UTC.' }),
    stopped: z.string().nullable(),
    ended_by: z.enum(ENDINGS).nullable().meta({
      description:
        'A command; a decision; the planned readers; or days, where it ran as long as reports are kept. null while it runs.',
    }),
    variants,
    result: experimentResult.optional(),
  }),
  Headline: z.strictObject(headline),
  Annotation: z.strictObject(annotation),
  RuleSet: z.strictObject(ruleSet),
  Settings: settings,
  Frontier: frontier,
  Growth: growth,
  StoredPost: storedPost,
  Url: z.string(),
} as const;

export type RecordName = keyof typeof RECORDS;

const metaSchema = z.strictObject({ metrics: z.array(z.string()), sort: z.string() });

const linksSchema = z.strictObject({
  first: z.string(),
  next: z.string().nullable().meta({
    description:
      'null on the last page and at record 2000. A period, or a date of publication, that hangs on now is pinned in it, so that pages do not overlap.',
  }),
  prev: z.string().optional().meta({ description: 'Absent on page 1; behind the last page, the first one.' }),
});

/** A success with a list; without a list, only `success` is present. */
export function envelopeOf(record: RecordName | undefined) {
  return record === undefined
    ? z.looseObject({ success: z.literal(true) })
    : z.strictObject({
        data: z.array(RECORDS[record]),
        meta: metaSchema,
        links: linksSchema,
        success: z.literal(true),
        ...(SHOWN_IN_SLOTS.includes(record) && { experiments: running.optional() }),
        ...(record === 'Interval' && { totals: totals.optional() }),
        ...(record === 'Annotation' && { more }),
      });
}

export const errorSchema = z.strictObject({
  code: z.literal([403, 404, 405, 413, 415, 422, 429, 500, 503]).meta({ description: '413 and 415: of events.' }),
  message: z.string(),
  errors: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .meta({ description: 'With 422: what each parameter accepts.' }),
  success: z.literal(false),
});
