// What each setting of the mix dial gives on the views of a site's own readers: the state of the measurement, and its
// start.
import { z } from 'zod';
import type { FrontierRecord } from '../contract/frontier.ts';
import { DRY_RUN, KEYS } from '../http/bodyFields.ts';
import { endpoint } from '../http/endpoint.ts';
import { detailOf } from '../http/lists.ts';
import { send } from '../http/send.ts';
import { orBadParameters } from '../http/siteChange.ts';
import { SITE, WRITE_SECRET } from '../reference/examples.ts';

const NONE = z.object({});

const read = endpoint({
  summary:
    'What each setting of the mix dial gives on the views of the site’s own readers, and which is recommended, as it was measured last; and how a measurement stands that runs.',
  record: 'Frontier',
  isLive: true,
  params: NONE,
  async answer(ask, parts) {
    const data: FrontierRecord[] = [await parts.frontiers.of(ask.site.id)];
    return detailOf(parts, ask, { data, metrics: [], sort: 'mix' });
  },
});

const measure = endpoint({
  summary:
    'Begins to measure what each setting of the mix dial gives, on the posts of the site and the views of four weeks; one at a time on a server.',
  params: NONE,
  body: {
    schema: z.object({ ...KEYS, ...DRY_RUN }).meta({ required: ['apikey', 'secret'] }),
    example: { apikey: SITE, secret: WRITE_SECRET },
    limits: { max: 4096, sentence: 'Send a JSON object with apikey and secret.' },
  },
  async answer({ site, body, c }, { frontiers }) {
    const begun: FrontierRecord = await orBadParameters('state', () => frontiers.start(site.id, body.dry_run));
    return send(c, { data: [begun], success: true });
  },
});

export const frontier = { read, measure };
