// GET /v2/conversions/url and /url/top: pages that led visitors to subscribe, sign up or buy.
import { Hono } from 'hono';
import { z } from 'zod';
import { DEFAULT_PERIOD_DAYS } from '../contract/limits.ts';
import type { HttpEnv } from '../http/auth.ts';
import { get } from '../http/endpoint.ts';
import { clockOf, type ListDeps, listOf, scopeOf } from '../http/lists.ts';
import { limit, listOf as listParam, oneOf, page, texts } from '../http/params.ts';
import { periodOf, periodParams } from '../http/period.ts';
import { toPostRecord } from '../posts/toPostRecord.ts';
import { rankConversions } from '../rankings.ts';
import { ATTRIBUTIONS, CONVERSION_TYPES } from '../traffic/conversions.ts';

const RULE = { defaultDays: DEFAULT_PERIOD_DAYS, tooLong: 'refuse' } as const;

const params = z.object({
  attribution_type: oneOf(ATTRIBUTIONS, 'Which of the pages a visitor saw is credited.').default('last_touch'),
  conversion_type: listParam(oneOf(CONVERSION_TYPES, 'Only conversions of this type.'), CONVERSION_TYPES.length),
  conversion_label: texts('Only conversions with this label.'),
  page_type: oneOf(['post', 'index'], 'Only pages of this type. Default: both.').optional(),
  ...periodParams(RULE),
  limit,
  page,
});

const METRICS = ['conversions', 'converting_visitors', 'conversion_rate'];

export function conversions(deps: ListDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const forms = [
    { path: '/conversions/url', by: 'kind', summary: 'Conversions by URL, type and label.' },
    { path: '/conversions/url/top', by: 'url', summary: 'URLs by the conversions they led to.' },
  ] as const;
  for (const { path, by, summary } of forms) {
    get(app, deps, {
      path,
      guard: 'secret',
      summary,
      record: 'Conversion',
      params,
      async answer(ask) {
        const {
          attribution_type,
          conversion_type,
          conversion_label,
          page_type,
          limit: size,
          page: number,
        } = ask.params;
        const period = periodOf(ask.params, RULE, clockOf(ask));
        const found = await rankConversions(deps.store.traffic, {
          scope: await scopeOf(deps, ask, period),
          attribution: attribution_type,
          types: conversion_type,
          labels: conversion_label,
          pages: page_type === undefined ? ['post', 'index'] : [page_type],
          by,
          limit: size,
          offset: (number - 1) * size,
        });
        return listOf(deps, ask, {
          page: found,
          metrics: METRICS,
          toRecord: ({ post, hits, metrics, kind }) => ({ ...toPostRecord(post, { hits, metrics }), ...kind }),
        });
      },
    });
  }
  return app;
}
