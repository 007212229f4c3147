// Paths that end in a name and /detail. The name may hold slashes and encoded characters: everything up to the last /detail.
import type { PostFilters } from '../traffic/scope.ts';
import { text } from './params.ts';

/** Last part of a path: the name and `/detail`; the plural is tolerated. A parameter that spans segments must be the last. */
export const NAMED_DETAIL = ':value{.+/details?}';

/** Last part of a path without a name. */
export const DETAIL = ':detail{details?}';

/** The name in front of `/detail`. */
export const namedValue = text('The name, in its own case.').transform((path) => path.replace(/\/details?$/, ''));

export const METAS = ['author', 'section', 'tag'] as const;

/** Posts of one author, section or tag. */
export function metaFilter(meta: (typeof METAS)[number], value: string): PostFilters {
  switch (meta) {
    case 'author':
      return { authors: [value] };
    case 'section':
      return { sections: [value] };
    case 'tag':
      return { tags: [value] };
  }
}
