// Pages that led visitors to subscribe, sign up or buy.
import { z } from 'zod';
import { CONVERSION_TYPES } from '../contract/conversions.ts';
import { DEFAULT_PERIOD_DAYS } from '../contract/limits.ts';
import { type Ask, endpoint } from '../http/endpoint.ts';
import { clockOf, type ListDeps, listOf, scopeOf, sliceOf, toRankedPost } from '../http/lists.ts';
import { limit, listOf as listParam, oneOf, page, texts, url } from '../http/params.ts';
import { periodOf, periodParams, publishedParams } from '../http/period.ts';
import { type RankedConversions, rankConversions } from '../rankings/rankings.ts';
import { ATTRIBUTIONS, type ConversionsQuestion } from '../traffic/conversions.ts';
import { resolvePublished } from '../traffic/period.ts';

const RULE = { defaultDays: DEFAULT_PERIOD_DAYS, tooLong: 'refuse' } as const;

const params = z.object({
  url: url.optional(),
  attribution_type: oneOf(ATTRIBUTIONS, 'Which of the pages a visitor saw is credited.').default('last_touch'),
  conversion_type: listParam(oneOf(CONVERSION_TYPES, 'Only conversions of this type.'), CONVERSION_TYPES.length),
  conversion_label: texts('Only conversions with this label.'),
  page_type: oneOf(
    ['post', 'index'],
    'Only posts, or only other pages, those without metadata among them. Default: both.',
  ).optional(),
  section: texts('Pages in this section; in any of them when repeated.'),
  author: texts('Pages by this author; by all of them when repeated.'),
  tag: texts('Pages with this tag; with all of them when repeated.'),
  ...publishedParams,
  ...periodParams(RULE),
  limit,
  page,
});

type ConversionsAsk = Ask<z.output<typeof params>>;

const METRICS = ['conversions', 'converting_visitors', 'conversion_rate'];

const conversionsBy = (by: ConversionsQuestion['by'], summary: string) =>
  endpoint({
    summary,
    record: 'Conversion',
    params,
    async answer(ask, deps) {
      const question = { ...(await questionOf(deps, ask)), by };
      const found = await rankConversions(deps.store.traffic, question);
      const { period } = question.scope;
      return listOf(deps, ask, { page: found, metrics: METRICS, period, toRecord: toRecordOf(deps, ask, by) });
    },
  });

export const conversions = {
  byKind: conversionsBy('kind', 'Conversions by URL, type and label.'),
  byUrl: conversionsBy('url', 'URLs by the conversions they led to.'),
};

async function questionOf(deps: ListDeps, ask: ConversionsAsk): Promise<Omit<ConversionsQuestion, 'by'>> {
  const { site, params, now } = ask;
  const { pub_date_start: start, pub_date_end: end } = params;
  const scope = await scopeOf(deps, ask, periodOf(params, RULE, clockOf(ask)));
  const published = resolvePublished({ start, end }, clockOf(ask));
  return {
    scope: { ...scope, posts: { authors: params.author, tags: params.tag, sections: params.section, published } },
    now,
    attribution: params.attribution_type,
    types: params.conversion_type,
    labels: params.conversion_label,
    pageType: params.page_type,
    url: params.url === undefined ? undefined : await deps.library.resolve(site.id, params.url),
    ...sliceOf(ask),
  };
}

/** The components of the metrics are listed beside them, as clients of Parse.ly's interface expect. */
function toRecordOf(
  deps: ListDeps,
  ask: ConversionsAsk,
  by: ConversionsQuestion['by'],
): (ranked: RankedConversions) => object {
  const { attribution_type } = ask.params;
  const toRecord = toRankedPost(deps, ask);
  return (ranked) => {
    const conversion_metrics = ranked.kinds.map(({ type, label, conversions, visitors }) => ({
      attribution_type,
      conversion_type: type,
      conversion_label: label,
      conversions,
      converting_visitors: visitors,
    }));
    const [{ type: conversion_type, label: conversion_label } = { type: '', label: '' }] = ranked.kinds;
    return { ...toRecord(ranked), ...(by === 'kind' && { conversion_type, conversion_label }), conversion_metrics };
  };
}
