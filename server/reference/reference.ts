// GET /openapi.json and /docs: the reference of everything the application answers, made once from its own routes.
import { Hono } from 'hono';
import { addressOf } from '../http/envelope.ts';
import { DOCS_CSP, toDocsPage } from './docsPage.ts';
import { type OpenApi, toOpenApi } from './openapi.ts';

const KEEP = 'public, max-age=300';

/** @param described The application whose routes are described; asked when the reference is first wanted. */
export function reference(described: Hono, settings: { publicUrl: string | undefined }): Hono {
  const app = new Hono();
  let made: OpenApi | undefined;

  const documentFor = (origin: string): OpenApi => {
    made ??= toOpenApi(described);
    return { ...made, servers: [{ url: origin }] };
  };

  app.get('/openapi.json', (c) => {
    const { origin } = addressOf(c, settings);
    return c.json(documentFor(origin), 200, { 'Access-Control-Allow-Origin': '*', 'Cache-Control': KEEP });
  });

  app.get('/', (c) => c.redirect('/docs'));
  app.get('/docs', (c) =>
    c.html(toDocsPage(documentFor(addressOf(c, settings).origin)), 200, {
      'Cache-Control': KEEP,
      'Content-Security-Policy': DOCS_CSP,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    }),
  );

  return app;
}
