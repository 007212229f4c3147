// /console/operator/…: all sites, and the state of the server, for the operator.
import { z } from 'zod';
import { SITE_ORDERS } from '../contract/operator.ts';
import { endpoint } from '../http/endpoint.ts';
import { oneOf, text, whole } from '../http/params.ts';
import { send } from '../http/send.ts';
import type { OfOperator } from './guards.ts';

const SITES = z.object({
  find: text('A part of a Site ID, of a domain or of a partner’s name.').default(''),
  sort: oneOf(SITE_ORDERS, 'Order of the sites.').default('views'),
  page: whole({ min: 1, max: 1_000_000, default: 1, what: 'Which page, from 1.' }),
});

const NONE = z.object({});

const sites = endpoint<typeof SITES, OfOperator>({
  summary: 'All sites: their views, refused events, posts and indexes.',
  params: SITES,
  unlisted: true,
  answer: async ({ c, params, now }, { overview }) => send(c, { ...(await overview.look(params, now)), success: true }),
});

const server = endpoint<typeof NONE, OfOperator>({
  summary: 'The state of the server, and what is wrong with it.',
  params: NONE,
  unlisted: true,
  answer: async ({ c }, { serverState }) =>
    serverState === undefined ? c.notFound() : send(c, { data: await serverState(), success: true }),
});

export const operator = { sites, server };
