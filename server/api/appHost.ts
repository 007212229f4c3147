// GET /api/{apikey}/jess/sdk_config/: the host to which an app sends its events. The Gradle plugin of the vendor's
// Android SDK requests it during the build of an app, with `parsely.apiBase=https://stats.example.com/api`; the status
// of the answer shows whether the site is known.
import { z } from 'zod';
import { door } from '../http/endpoint.ts';
import { addressOf } from '../http/envelope.ts';
import { send, sendError } from '../http/send.ts';
import { parseSiteId } from '../sites/site.ts';

export const appHost = door({
  summary: 'The host apps send their events to, as the Gradle plugin of the Android SDK asks for it.',
  tag: 'ingest',
  script: true,
  statuses: { 404: 'No such site.' },
  params: z.object({ apikey: z.string().meta({ description: 'Site ID.' }) }),
  handle(c, { sites, settings }) {
    const id = parseSiteId(c.req.param('apikey') ?? '');
    if (id === undefined || sites.find(id) === undefined)
      return sendError(c, { code: 404, message: 'Not Found', success: false }, 404);
    return send(c, { pixel_host: addressOf(c, settings).host, success: true });
  },
});
