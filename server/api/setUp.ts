// Whether the tag of a site works, and which posts need care, for those who set it up.
import { z } from 'zod';
import { SETUP_MINUTES } from '../contract/setUp.ts';
import { endpoint } from '../http/endpoint.ts';
import { detailOf } from '../http/lists.ts';
import { readContentAudit } from '../setUp/contentAudit.ts';
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

const posts = endpoint({
  summary:
    'Posts that need care: those without a picture, a date or a section, those that no list and no page leads to, those whose page is gone, and pages that the crawler could not read.',
  record: 'ContentAudit',
  params: NONE,
  async answer(ask, parts) {
    const { id, timezone } = ask.site;
    const scope = { site: id, zone: timezone, excluded: await parts.exclusions.of(id) };
    const record = await readContentAudit(parts, { scope, now: ask.now });
    return detailOf(parts, ask, { data: [record], metrics: [], sort: 'field' });
  },
});

export const setUp = { tag, posts };
