// Schemas of events for the reference. They validate nothing: readBeacon parses events tolerantly, and drops and counts
// invalid ones.
import { z } from 'zod';
import { LEDGER_LIMITS } from '../contract/ledger.ts';
import { MAX_INC, MIN_INC } from '../contract/limits.ts';
import { LIST_REPORT } from '../ingest/steps/lists.ts';
import { SITE } from './examples.ts';

const said = (description: string) => z.string().meta({ description });

const eventData = z
  .looseObject({
    segments: z.union([z.array(z.string()), z.string()]).meta({
      description:
        'Names of the visitor’s segments, a list or a text with commas: at most 10 of 100 characters. So are the values of other keys of data that the site maps: afterword site change --segment-key.',
    }),
    _channel: z.enum(['website', 'amp', 'apln-rta', 'fbia']).meta({ description: 'Default: website.' }),
    network: z.enum(['fb', 'tw', 'li', 'pi']).meta({ description: 'Of a share.' }),
  })
  .partial()
  .meta({ description: 'Visitor id (parsely_site_uuid), moment (ts, in ms) and details.' });

const event = z.looseObject({
  idsite: said('Site ID.'),
  action: z.enum(['pageview', 'heartbeat', 'videostart', 'vheartbeat', 'conversion', 'share', 'custom', 'list']),
  url: said('Address of the page.'),
  urlref: said('Where the visitor came from.').optional(),
  inc: z.int().min(MIN_INC).max(MAX_INC).meta({ description: 'Engaged seconds since the last heartbeat.' }).optional(),
  data: eventData.optional(),
  metadata: z
    .looseObject({})
    .meta({
      description:
        'canonical_url, else link: the page that is counted, if it is one of the site’s; of video events, link: the video. Title, section, authors, tags, pub_date_tmsp and image_url make a post where the site says so (afterword site change --event-metadata on) and nothing else describes the page.',
    })
    .optional(),
  lists: z.array(LIST_REPORT).max(LEDGER_LIMITS.lists).meta({ description: 'Of the action list.' }).optional(),
  screen: said(
    'Width and height, such as 1640x2360: distinguishes tablets from phones where the user agent does not.',
  ).optional(),
});

/** The body of POST /events and /mobileproxy. */
export const EVENT_BATCH = z.looseObject({ events: z.array(event) });

export const EVENTS_EXAMPLE = {
  events: [
    {
      idsite: SITE,
      action: 'pageview',
      url: `https://${SITE}/an-article`,
      data: { segments: ['subscribers', 'newsletter'], _channel: 'website' },
    },
  ],
};

/**
 * One event as a query.
 * @param more Descriptions of further parameters by name.
 */
export function eventParams(more: Readonly<Record<string, string>> = {}): z.ZodObject {
  return z.object({
    idsite: said('Site ID.'),
    action: said('pageview, heartbeat, videostart, vheartbeat, conversion, share, custom or list.'),
    url: said('Address of the page.'),
    ...optional({
      urlref: 'Where the visitor came from.',
      date: 'When: ISO 8601, milliseconds since 1970, or JavaScript’s Date text. Default: now, as for what is later than now or over 24 hours ago.',
      inc: 'Engaged seconds since the last heartbeat, 1 to 3600.',
      u: 'Visitor id, where data has no parsely_site_uuid; OPTOUT: no visitor.',
      ampid: 'Visitor id of AMP pages.',
      rand: 'A cache buster; distinguishes a repeated event from an identical one.',
      data: 'JSON: visitor id and details, as in POST /events; segments and _channel too.',
      metadata: 'JSON, as in POST /events: the page that is counted, and what it is; of video events, link: the video.',
      screen: 'Width and height, such as 1640x2360.',
      lists: 'JSON, as in POST /events: of the action list.',
      ...more,
    }),
  });
}

const optional = (descriptions: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(descriptions).map(([name, description]) => [name, said(description).optional()]));
