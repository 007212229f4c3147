// Filters: which posts may be shown at all: listed, passing every filter of the request, not excluded, not read.

import type { Catalogue, Names } from '../textindex/catalogue.ts';
import type { RecommendFilters } from './request.ts';

/** Whether a post may be shown, by its number. */
export type Filter = (number: number) => boolean;

/** A list of names to be matched: all of them, as numbers; undefined where nothing is asked. */
function numbersOf(names: Names, asked: readonly string[] | undefined): number[] | undefined {
  return asked && asked.length > 0 ? asked.map((name) => names.find(name)) : undefined;
}

/** Last publication date that may be shown, epoch milliseconds: a filter narrows it, and never reaches past now. */
export const lastPubDate = ({ pubDateEnd = Number.POSITIVE_INFINITY }: RecommendFilters, now: number): number =>
  Math.min(pubDateEnd, now);

/**
 * Compiles filters once a request. Several authors or tags: a post must have all; several sections: any.
 * A post of unknown date passes unless a start is asked for; one dated in the future never does.
 * @param bounds.never Posts that must not appear, by number.
 * @param bounds.now Epoch milliseconds.
 */
export function createFilter(
  catalogue: Catalogue,
  filters: RecommendFilters,
  bounds: { never: ReadonlySet<number>; now: number },
): Filter {
  const { never, now } = bounds;
  const sections = numbersOf(catalogue.sections, filters.sections);
  const authors = numbersOf(catalogue.authors, filters.authors);
  const tags = numbersOf(catalogue.tags, filters.tags);
  const refusing = (filters.exclude ?? []).map(({ meta, value }) => refuser(catalogue, meta, value));
  const { pubDateStart } = filters;
  const pubDateEnd = lastPubDate(filters, now);
  const { listed, sectionOf, authorsOf, tagsOf, pubDates } = catalogue;
  const maybeNever = new Uint8Array(256);
  for (const number of never) maybeNever[number & 255] = 1;
  return (number) => {
    if (listed[number] !== 1 || (maybeNever[number & 255] === 1 && never.has(number))) return false;
    // Comparisons with an unknown date (NaN) are false: it fails a start and passes an end.
    const date = pubDates[number] ?? Number.NaN;
    if (pubDateStart !== undefined && !(date >= pubDateStart)) return false;
    if (date > pubDateEnd) return false;
    if (sections && !sections.includes(sectionOf[number] ?? -1)) return false;
    if (authors && !hasAll(authorsOf[number], authors)) return false;
    if (tags && !hasAll(tagsOf[number], tags)) return false;
    // No closure for each post: a query filters a hundred thousand.
    for (const refuses of refusing) if (refuses(number)) return false;
    return true;
  };
}

const hasAll = (names: Uint32Array | undefined, asked: readonly number[]): boolean =>
  names !== undefined && asked.every((name) => names.includes(name));

function refuser(catalogue: Catalogue, meta: 'authors' | 'section' | 'tags', value: string): Filter {
  const { sectionOf, authorsOf, tagsOf } = catalogue;
  if (meta === 'section') {
    const section = catalogue.sections.find(value);
    return (number) => sectionOf[number] === section;
  }
  const name = (meta === 'authors' ? catalogue.authors : catalogue.tags).find(value);
  const namesOf = meta === 'authors' ? authorsOf : tagsOf;
  return (number) => namesOf[number]?.includes(name) ?? false;
}
