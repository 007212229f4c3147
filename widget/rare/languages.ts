// What pages in other languages than English need: default headings, hyphens in long words, room for marks above and
// below letters.
import { headingIn, LATIN } from '../../server/contract/headings.ts';
import type { LookPart } from '../ui/root.tsx';
import css from './languages.css?inline';
import type * as Scripts from './scripts.ts';

export const dress: LookPart['dress'] = async (look, language, load) => {
  look.heading ??=
    headingIn(LATIN, language, look.afterword) ??
    headingIn(((await load('scripts')) as typeof Scripts).OTHERS, language, look.afterword);
  return css;
};
