// What pages in other languages than English need: default headings, hyphens in long words, room for marks above and
// below letters.
import { headingIn, LATIN } from '../../server/contract/headings.ts';
import type { Look } from '../ui/root.tsx';
import css from './languages.css?inline';
import type * as Scripts from './scripts.ts';

/**
 * Called before a list is drawn.
 * @param look The settings it is drawn with, which are given a heading where they have none.
 * @param load Fetches another part.
 * @returns styles.
 */
async function dressInLanguage(
  look: Look,
  language: string,
  load: (part: string) => Promise<unknown>,
): Promise<string> {
  look.heading ??=
    headingIn(LATIN, language, look.afterword) ??
    // Without that part the heading is English.
    headingIn(
      ((await load('scripts').catch(console.debug)) as typeof Scripts | undefined)?.OTHERS ?? {},
      language,
      look.afterword,
    );
  return css;
}

export { dressInLanguage as run };
