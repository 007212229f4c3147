// Paths that end in a name and /detail. The name may contain slashes and encoded characters: everything up to the last
// /detail.
//
//   const posts = await namedFilter(deps, ask);
//     → { sections: ['Technology Lab'] } for /section/Technology+Lab/detail
import type { Deps } from '../context.ts';
import { compileAnyUnder } from '../traffic/pages.ts';
import type { PostFilters } from '../traffic/scope.ts';
import type { Ask } from './endpoint.ts';
import { text } from './params.ts';

/** The name before `/detail`. */
export const namedValue = text('The name, in its own case.').transform((path) => path.replace(/\/details?$/, ''));

export const METAS = ['author', 'section', 'tag'] as const;

type NamedAsk = Ask<{ meta: (typeof METAS)[number]; value: string }>;

/**
 * Filter of the posts under the name in the path. Form encoders write a space as `+`: where no post has the literal
 * name, each `+` in it is a space.
 */
export async function namedFilter({ store }: Pick<Deps, 'store'>, { site, params }: NamedAsk): Promise<PostFilters> {
  const { meta, value } = params;
  const asItStands = metaFilter(meta, value);
  if (!value.includes('+')) return asItStands;
  const found = await store.traffic.run(compileAnyUnder(site.id, asItStands));
  return found.length > 0 ? asItStands : metaFilter(meta, value.replaceAll('+', ' '));
}

function metaFilter(meta: (typeof METAS)[number], value: string): PostFilters {
  switch (meta) {
    case 'author':
      return { authors: [value] };
    case 'section':
      return { sections: [value] };
    case 'tag':
      return { tags: [value] };
  }
}
