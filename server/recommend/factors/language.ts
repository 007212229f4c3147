// Ranking factor: the language. Names of people and places are the same in all languages: below a page that has a
// translation, that would be the closest of all, though its readers have just read it.

import { isInOtherLanguage } from '../commonFields.ts';
import { defineFactor, NO_EFFECT } from './factor.ts';

export const language = defineFactor({
  name: 'language',
  description: 'Below 1 for a post in another language than the page.',
  cost: 'cheap',
  gains: {
    /** Small enough that whatever is related in the language of the page comes first. */
    otherLanguage: 0.05,
  },
  fitted: {},
  of({ index, post }, gains) {
    const { languages, languageOf } = index.catalogue;
    if (post < 0 || languages.size < 2) return undefined;
    if (languageOf[post] === 0) return NO_EFFECT;
    const isOther = isInOtherLanguage(index, post);
    const of = (number: number) => (isOther(number) ? gains.otherLanguage : 1);
    return { of, max: 1, bound: of };
  },
});
