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

/** As the address has it, percent-encoded. */
const WRITTEN = /\/(?:author|section|tag)\/(.*)\/details?\/?$/;

/**
 * Filter of the posts under the name in the path. Form encoders write a space as `+` and a plus as `%2B`: where no post
 * has the literal name, the one that they mean is looked for, and last the one in which each plus is a space.
 */
export async function namedFilter({ store }: Pick<Deps, 'store'>, { site, params, c }: NamedAsk): Promise<PostFilters> {
  const { meta, value } = params;
  const withSpaces = metaFilter(meta, value.replaceAll('+', ' '));
  if (!value.includes('+')) return withSpaces;
  const [, written = ''] = WRITTEN.exec(new URL(c.req.url).pathname) ?? [];
  for (const name of new Set([value, readForm(written)])) {
    const filter = metaFilter(meta, name);
    if ((await store.traffic.run(compileAnyUnder(site.id, filter))).length > 0) return filter;
  }
  return withSpaces;
}

/** The value of a form's field, which may have a bare `&` here. */
const readForm = (written: string): string =>
  new URLSearchParams(`name=${written.replaceAll('&', '%26')}`).get('name')!;

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
