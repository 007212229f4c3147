// GET /api/{apikey}/jess/sdk_config/: the host an app sends its events to. The Gradle plugin of the vendor's Android SDK asks for it
// while an app is built, with `parsely.apiBase=https://stats.example.com/api`; it reads an unknown site from the status.
import { Hono } from 'hono';
import type { Deps } from '../context.ts';
import { addressOf } from '../http/envelope.ts';
import { parseSiteId } from '../sites/site.ts';

/** Route to be mounted at the root. */
export function appHost({ sites, settings }: Pick<Deps, 'sites' | 'settings'>): Hono {
  const app = new Hono();
  app.get('/api/:apikey/jess/sdk_config', (c) => {
    const id = parseSiteId(c.req.param('apikey'));
    if (id === undefined || sites.find(id) === undefined)
      return c.json({ code: 404, message: 'Not Found', success: false }, 404);
    return c.json({ pixel_host: addressOf(c, settings).host, success: true });
  });
  return app;
}
