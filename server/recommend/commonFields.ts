// What a post has in common with the page without a word of it being read: its language, its section, a tag.

import { bitsOf } from '../textindex/catalogue.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import type { Filter } from './filters.ts';

/** Whether a post is in another language than the page; not where one of the two is unknown. */
export function isInOtherLanguage({ catalogue }: PostIndex, page: number): Filter {
  const { languageOf } = catalogue;
  const mine = languageOf[page] ?? 0;
  return (number) => mine !== 0 && languageOf[number] !== 0 && languageOf[number] !== mine;
}

/** Whether a post has the section of the page, or one of its tags. */
export function sharesSectionOrTag({ catalogue }: PostIndex, page: number): Filter {
  const { sections, sectionOf, tagsOf, nameBits } = catalogue;
  const section = sectionOf[page] === sections.find('') ? undefined : sectionOf[page];
  const tags = tagsOf[page] ?? new Uint32Array(0);
  const bits = bitsOf(tags);
  return (number) =>
    sectionOf[number] === section ||
    ((nameBits[number * 2 + 1]! & bits) !== 0 && tagsOf[number]!.some((tag) => tags.includes(tag)));
}
