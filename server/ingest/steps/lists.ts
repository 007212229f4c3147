// What a page reports of its lists.
import { z } from 'zod';
import { ITEM_SOURCES, LEDGER_LIMITS } from '../../contract/ledger.ts';
import type { ListItem, ListReport } from '../../contract/wire.ts';
import type { ListRow, ListRowItem } from '../eventRow.ts';
import { withoutNul } from '../parseEvent.ts';

const { lists, items, position, alternative, name, shift, errors } = LEDGER_LIMITS;

/** Names come from the page's own attributes. */
const named = z.string().overwrite((text) => withoutNul(text).slice(0, name));

/** JSON Schema of an item; `isItem` checks the same. */
const ITEM = {
  type: 'array',
  prefixItems: [
    { type: 'integer', minimum: 1, maximum: position, description: 'Position, from 1.' },
    { type: 'string', description: 'URL of the post, or its path where it has the origin of the page.' },
    { enum: ITEM_SOURCES, description: 'Why it stands there.' },
    {
      type: 'integer',
      minimum: 0,
      maximum: alternative,
      description: 'Number of its title and picture among those that are compared, from 1. Default: 0, none are.',
    },
  ],
  minItems: 3,
  maxItems: 4,
};

const SOURCES: ReadonlySet<unknown> = new Set(ITEM_SOURCES);

function isItem(value: unknown): value is ListItem {
  if (!Array.isArray(value) || (value.length !== 3 && value.length !== 4)) return false;
  const [place, post, source, number = 0]: unknown[] = value;
  return (
    isIntegerIn(place, 1, position) &&
    typeof post === 'string' &&
    SOURCES.has(source) &&
    isIntegerIn(number, 0, alternative)
  );
}

const isIntegerIn = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most && Number.isInteger(value);

/** Items are checked by hand: pages report ten at a time, and a schema of a tuple takes three times as long. */
const itemsOf = (description: string) =>
  z
    .custom<ListItem[]>((value) => Array.isArray(value) && value.length <= items && value.every(isItem))
    .meta({ type: 'array', items: ITEM, maxItems: items, description })
    .optional();

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
  seen: itemsOf(
    'Items of which half was in the window for a second, in a visible tab: each once a page view. Default: none.',
  ),
  clicked: itemsOf('Items that were clicked since the report before, once for each click. Default: none.'),
}) satisfies z.ZodType<unknown, ListReport>;

const LISTS = z.array(LIST_REPORT).min(1).max(lists);

/** @returns Canonical URL of an address, or of a path on the page; undefined for what is none. */
export type ResolvePost = (post: string) => string | undefined;

/** @returns undefined where it is no report, or beyond `LEDGER_LIMITS`. */
export function parseLists(value: unknown, resolve: ResolvePost): ListRow[] | undefined {
  const parsed = LISTS.safeParse(value);
  return parsed.success ? parsed.data.map((list) => toListRow(list, resolve)) : undefined;
}

/** Field by field: a spread takes longer than all else here. */
function toListRow(report: z.output<typeof LIST_REPORT>, resolve: ResolvePost): ListRow {
  const { list, slot, layout, experiment, variant, shown, shift, errors, seen, clicked } = report;
  const found: ListRowItem[] = [];
  const add = ([position, text, source, alternative = 0]: ListItem, isClick: boolean): void => {
    const post = resolve(text);
    // An item without an address says nothing.
    if (post !== undefined)
      found.push({ position, post, source, seen: !isClick, clicks: Number(isClick), alternative });
  };
  for (const item of seen ?? []) add(item, false);
  for (const item of clicked ?? []) add(item, true);
  return { list, slot, layout, experiment, variant, shown, shift, errors, items: found };
}

/** The report that `parseLists` reads as this row. */
export function toListReport({ items, ...list }: ListRow): ListReport {
  const report = ({ position, post, source, alternative }: ListRowItem): ListItem =>
    alternative === 0 ? [position, post, source] : [position, post, source, alternative];
  return {
    ...list,
    seen: items.filter(({ seen }) => seen).map(report),
    clicked: items.flatMap((item) => Array<ListItem>(item.clicks).fill(report(item))),
  };
}
