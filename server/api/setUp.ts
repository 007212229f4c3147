// Whether the tag of a site works, for those who set it up.
import { z } from 'zod';
import { SETUP_MINUTES } from '../contract/setUp.ts';
import { endpoint } from '../http/endpoint.ts';
import { detailOf } from '../http/lists.ts';
import { readSetUp } from '../setUp/setUp.ts';

const NONE = z.object({});

const tag = endpoint({
  summary: `Whether the tag works: events of the last ${SETUP_MINUTES} minutes by kind and minute, the newest of each kind with its page, and events that were not stored by reason.`,
  record: 'SetUp',
  isLive: true,
  params: NONE,
  async answer(ask, parts) {
    const { id, timezone } = ask.site;
    const record = await readSetUp(parts, { site: id, zone: timezone, now: ask.now });
    return detailOf(parts, ask, { data: [record], metrics: [], sort: 'kind' });
  },
});

export const setUp = { tag };
