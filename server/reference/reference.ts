// The reference of everything the application answers, made once from its own routes: a document for machines, and a
// page.
import { z } from 'zod';
import { door, type Parts } from '../http/endpoint.ts';
import { addressOf } from '../http/envelope.ts';
import { DOCS_CSP, toDocsPage } from './docsPage.ts';
import type { OpenApi } from './openapi.ts';

const KEEP = 'public, max-age=300';

const NONE = z.object({});

const documentFor = ({ document }: Parts, origin: string): OpenApi => ({ ...document(), servers: [{ url: origin }] });

const openapi = door({
  summary: 'This reference as an OpenAPI document.',
  params: NONE,
  unlisted: true,
  handle(c, parts) {
    const { origin } = addressOf(c, parts.settings);
    return c.json(documentFor(parts, origin), 200, { 'Access-Control-Allow-Origin': '*', 'Cache-Control': KEEP });
  },
});

const root = door({
  summary: 'Leads to the reference.',
  tag: 'reference',
  params: NONE,
  answers: 'text/html',
  statuses: { 302: 'To the page.' },
  redirects: true,
  handle: (c) => c.redirect('/docs'),
});

const docs = door({
  summary: 'This reference as a page.',
  tag: 'reference',
  params: NONE,
  answers: 'text/html',
  handle: (c, parts) =>
    c.html(toDocsPage(documentFor(parts, addressOf(c, parts.settings).origin)), 200, {
      'Cache-Control': KEEP,
      'Content-Security-Policy': DOCS_CSP,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    }),
});

export const reference = { root, docs, openapi };
