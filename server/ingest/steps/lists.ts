// What a page reports of its lists.
import { z } from 'zod';
import { ITEM_SOURCES, LEDGER_LIMITS } from '../../contract/ledger.ts';
import type { ListReport } from '../../contract/wire.ts';
import type { ListRow } from '../eventRow.ts';

const { lists, items, position, clicks, alternative, name, shift, errors } = LEDGER_LIMITS;

/** Names come from the page's own attributes. */
const named = z.string().overwrite((text) => text.slice(0, name));

const ITEM = z.object({
  position: z.int().min(1).max(position).meta({ description: 'From 1.' }),
  post: z.string().meta({ description: 'URL of the post.' }),
  source: z.enum(ITEM_SOURCES).meta({ description: 'Why it stands there.' }),
  seen: z.boolean().default(false).meta({
    description: 'Half of it was in the window for a second, in a visible tab: said once a page view. Default: false.',
  }),
  clicks: z.int().min(0).max(clicks).default(0).meta({ description: 'Since the report before. Default: 0.' }),
  alternative: z.int().min(0).max(alternative).default(0).meta({
    description: 'Number of its title and picture among those that are compared, from 1. Default: 0, none are.',
  }),
});

/** A list of an event of the action `list`, as the widget writes it. */
export const LIST_REPORT = z.object({
  list: named.meta({ description: 'related or top.' }),
  slot: named.meta({ description: 'Name of the slot, else its order on the page, from 1.' }),
  layout: named,
  experiment: named.default('').meta({ description: 'Default: "", none.' }),
  variant: named.default('').meta({ description: 'Default: "", none.' }),
  shown: z
    .boolean()
    .default(false)
    .meta({ description: 'In the first report of a list in a page view, and no later one. Default: false.' }),
  shift: z.number().min(0).max(shift).optional().meta({
    description: 'Layout shift of the page since a list of an experiment was drawn. Default: not measured.',
  }),
  errors: z.int().min(0).max(errors).optional().meta({
    description: 'Errors of our script since then, and of the list. Default: not counted.',
  }),
  items: z.array(ITEM).max(items).meta({ description: 'What was seen or clicked since the report before.' }),
}) satisfies z.ZodType<unknown, ListReport>;

const LISTS = z.array(LIST_REPORT).min(1).max(lists);

/**
 * @param pageOf Canonical URL of an address; undefined for what is none.
 * @returns undefined where it is no report, or beyond `LEDGER_LIMITS`.
 */
export function parseLists(value: unknown, pageOf: (url: string) => string | undefined): ListRow[] | undefined {
  const parsed = LISTS.safeParse(value);
  return parsed.success ? parsed.data.map((list) => withPosts(list, pageOf)) : undefined;
}

/** Changes the list in place. An item without an address says nothing. */
function withPosts(list: z.output<typeof LIST_REPORT>, pageOf: (url: string) => string | undefined): ListRow {
  list.items = list.items.filter((item) => {
    const post = pageOf(item.post);
    if (post !== undefined) item.post = post;
    return post !== undefined;
  });
  return list;
}
