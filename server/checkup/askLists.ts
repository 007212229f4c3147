// How many posts the lists of a page hold now, asked as its readers ask: with the attributes of each slot as
// parameters.
import { ATTRIBUTES, type Attribute, MOST_POSTS, POSTS } from '../contract/attributes.ts';
import type { DataTag } from '../posts/readPage/readPage.ts';
import { kindOf, nameOf } from './checkLists.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Of a page with hundreds of slots, the first ones. */
const MOST_ASKED = 12;
/** Attributes that are parameters of the same name. */
const DECLARED: readonly Attribute[] = ATTRIBUTES;
const OF_BOTH = DECLARED.filter(({ asks }) => asks === 'both').map(({ name }) => name);
const OF_RELATED = DECLARED.filter(({ asks }) => asks !== undefined).map(({ name }) => name);

export interface Asked {
  /** Whose lists. */
  site: string;
  slots: readonly DataTag[];
  /** Attributes of the tag: defaults of slots. */
  tag: DataTag | undefined;
  /** The page that related lists are for. */
  page: string;
}

/** @param get Answers a path of the interface, such as `/v2/top/posts?…`, with the body as JSON. */
export async function askLists(
  { site, slots, tag, page }: Asked,
  get: (path: string) => Promise<unknown>,
): Promise<Finding[]> {
  const findings = slots.slice(0, MOST_ASKED).map(async (slot): Promise<Finding[]> => {
    const kind = kindOf(slot);
    if (kind !== 'related' && kind !== 'top') return [];
    const values = { ...tag?.data, ...slot.data };
    const number = Number(values.limit);
    const limit = Math.min(Number.isInteger(number) && number > 0 ? number : POSTS, MOST_POSTS);
    return [describe(slot, { kind, limit, site }, await get(pathOf(values, { kind, limit, site, page })))];
  });
  return (await Promise.all(findings)).flat();
}

interface List {
  kind: 'related' | 'top';
  limit: number;
  site: string;
}

function pathOf(values: Record<string, string>, { kind, limit, site, page }: List & { page: string }): string {
  const query = new URLSearchParams({ apikey: site, limit: `${limit}` });
  for (const name of kind === 'top' ? OF_BOTH : OF_RELATED) if (values[name]) query.set(name, values[name]);
  if (kind === 'top') return `/v2/top/${values.type === 'videos' ? 'videos' : 'posts'}?${query}`;
  for (const excluded of values.exclude?.split('|') ?? []) if (excluded) query.append('exclude', excluded);
  if (values.by !== 'visitor') query.set('url', values.url || page);
  return `/v2/related?${query}`;
}

function describe(slot: DataTag, { kind, limit, site }: List, answer: unknown): Finding {
  const { data, code, errors } = (answer ?? {}) as {
    data?: unknown[];
    code?: number;
    errors?: Record<string, string[]>;
  };
  const name = nameOf(slot);
  if (data === undefined) {
    const said = Object.values(errors ?? {}).flat();
    if (code === 403)
      return warning(
        'lists now',
        `${name} is refused.`,
        `${site} keeps this list to itself: afterword site show ${site}.`,
      );
    return warning(
      'lists now',
      `${name} is refused (${code ?? 'no answer'}).`,
      said.join(' ') || 'See the log of the server.',
    );
  }
  const held = Math.min(data.length, limit);
  if (held > 0)
    return ok('lists now', `${name} holds ${held} ${held === 1 ? 'post' : 'posts'} of at most ${limit} now.`);
  return warning(
    'lists now',
    `${name} is empty now.`,
    kind === 'top'
      ? 'It fills when posts are viewed, about 10 s later; data-days looks further back.'
      : `It fills as posts become known: when they are viewed, about 10 s later, or by afterword crawl ${site}.`,
  );
}
