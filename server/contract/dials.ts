// The dials of related posts, each declared once: a number from 0 to 1. The parameters of /related, the setting of a
// site, the options of `site change`, the sliders of the preview and the table in docs/api-choices.md derive from this
// list.

export interface Dial {
  readonly name: string;
  /** Label of its slider. */
  readonly label: string;
  /** What its option sets, in a few words. */
  readonly option: string;
  /** Its meaning, in a sentence. */
  readonly sentence: string;
  /** What 0 and 1 do. */
  readonly ends: readonly [none: string, all: string];
}

export const DIALS = [
  {
    name: 'mix',
    label: 'Page or readers',
    option: 'who decides below a page',
    sentence: 'Who decides below a page: its words, or what readers of it and of the session read next.',
    ends: ['the page decides: the list of the `url` alone', 'the readers decide'],
  },
  {
    name: 'freshness',
    label: 'Freshness',
    option: 'how much newer posts are preferred',
    sentence: 'How much newer posts are preferred.',
    ends: ['age does not count', 'a post of 30 days counts half, one of a year a thirteenth'],
  },
  {
    name: 'diversity',
    label: 'Diversity',
    option: 'how many posts of ten may share a section, author, tag or series',
    sentence: 'How many posts of ten may share their section, an author, a tag or a series; the others follow later.',
    ends: ['all ten; of a series four', 'two'],
  },
  {
    name: 'popularity',
    label: 'Popularity',
    option: 'how much posts read most now are preferred',
    sentence: 'How much posts that are read most now are preferred.',
    ends: ['it does not count', 'the post read most counts three times'],
  },
] as const satisfies readonly Dial[];

export type DialName = (typeof DIALS)[number]['name'];

/** A value of every dial. */
export type Dials = Readonly<Record<DialName, number>>;

/** Values of some dials; the others have their defaults. */
export type DialSettings = Partial<Dials>;

/** A change of dials: null clears one, undefined leaves it. */
export type DialChange = { [Dial in DialName]?: number | null | undefined };

/** @returns undefined where none is left. */
export function changeDials(dials: DialSettings | undefined, change: DialChange): DialSettings | undefined {
  const said = DIALS.map(({ name }) => [name, change[name] === undefined ? dials?.[name] : change[name]] as const);
  const changed = said.filter(([, value]) => value !== undefined && value !== null);
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}

/**
 * The mix of a request that names a page and a reader: the knee of the frontier on the seeded readers of the demo
 * newspaper, fitted on the first half of their views. It gains four fifths of what readers can add to the MRR@20 of the
 * next read, and six of ten posts of the page alone stay.
 */
const DEFAULT_MIX = 0.6;

/**
 * Every dial, from the first of some settings that has it. Without a setting, a page alone decides by itself.
 * @param asked.url Whether a page is named.
 * @param asked.visits Whether a reader is.
 */
export function resolveDials(
  asked: { url: boolean; visits: boolean },
  ...settings: readonly (DialSettings | undefined)[]
): Dials {
  const settingOf = (name: DialName, initial: number) =>
    settings.find((one) => one?.[name] !== undefined)?.[name] ?? initial;
  return {
    // Without a page there is nothing to mix the readers with.
    mix: asked.url ? settingOf('mix', asked.visits ? DEFAULT_MIX : 0) : 0,
    freshness: settingOf('freshness', 0),
    diversity: settingOf('diversity', 0),
    popularity: settingOf('popularity', 0),
  };
}
