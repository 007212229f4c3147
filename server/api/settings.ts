// What a site has set of its own for its lists: the dials of related posts. Read with the secret, changed with the
// write secret.
import { z } from 'zod';
import { changeDials, DIALS } from '../contract/dials.ts';
import type { SettingsRecord } from '../contract/wire.ts';
import { DRY_RUN, KEYS } from '../http/bodyFields.ts';
import { endpoint } from '../http/endpoint.ts';
import { detailOf } from '../http/lists.ts';
import { send } from '../http/send.ts';
import { changeSite } from '../http/siteChange.ts';
import { SITE, WRITE_SECRET } from '../reference/examples.ts';
import type { Site } from '../sites/site.ts';

const NONE = z.object({});

const toRecord = ({ dials = {} }: Pick<Site, 'dials'>): SettingsRecord => ({
  dials: Object.fromEntries(DIALS.map(({ name }) => [name, dials[name] ?? null])),
});

const read = endpoint({
  summary: 'What a site has set of its own for its lists; null is the default.',
  record: 'Settings',
  params: NONE,
  answer: async (ask, parts) => detailOf(parts, ask, { data: [toRecord(ask.site)], metrics: [], sort: 'name' }),
});

const GIVE = 'Give a number from 0 to 1, or null for the default.';

const BODY = z
  .object({
    ...KEYS,
    dials: z
      .strictObject(
        Object.fromEntries(
          DIALS.map(({ name, sentence }) => [
            name,
            z.number(GIVE).min(0, GIVE).max(1, GIVE).nullable().optional().meta({ description: sentence }),
          ]),
        ),
        `Give dials as an object with some of ${DIALS.map(({ name }) => name).join(', ')}.`,
      )
      .meta({ description: 'Of related posts; those that are left out stay.' }),
    ...DRY_RUN,
  })
  .meta({ required: ['apikey', 'secret', 'dials'] });

const change = endpoint({
  summary: 'Changes what a site has set of its own for its lists.',
  params: NONE,
  body: {
    schema: BODY,
    example: { apikey: SITE, secret: WRITE_SECRET, dials: { mix: 0.6, freshness: null } },
    limits: { max: 4096, sentence: 'Send a JSON object with apikey, secret and dials.', path: true },
  },
  async answer({ site, body, c }, { sites }) {
    const alter = ({ dials: before, ...others }: Site): Site => {
      const dials = changeDials(before, body.dials);
      return { ...others, ...(dials && { dials }) };
    };
    const changed = await changeSite({ sites }, site, { alter, dry_run: body.dry_run });
    return send(c, { data: [toRecord(changed)], success: true });
  },
});

export const settings = { read, change };
