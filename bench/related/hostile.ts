// Sites of hostile posts, which anyone may send: what their posts are made of.
import type { IndexedPost } from '../../server/textindex/catalogue.ts';
import { generator } from './grow.ts';

type Make = (number: number) => Partial<IndexedPost>;

const MEGABYTE = 1_000_000;

/** Languages whose names for countries and languages are taken for words. */
const LANGUAGES =
  'ar am az be bg bn ca cs da de el en es et eu fa fi fr ga gu he hi hr hu hy id is it ja ka kk km kn ko lo lt lv ml mn my nb nl pl pt ro ru sk sv ta th'.split(
    ' ',
  );
const COUNTRIES =
  'AR AT AU BE BR CA CH CL CN CZ DE DK EG ES FI FR GB GR HU ID IE IL IN IS IT JP KE KR MA MX NG NL NO NZ PE PH PL PT RO RU SA SE TH TR UA US VN ZA'.split(
    ' ',
  );

/** Words of 50 languages in their own scripts, a list for each. */
const namesIn = LANGUAGES.map((language) => {
  const countries = new Intl.DisplayNames(language, { type: 'region' });
  const languages = new Intl.DisplayNames(language, { type: 'language' });
  return [...COUNTRIES.map((code) => countries.of(code)!), ...LANGUAGES.map((code) => languages.of(code)!)];
});

const SENTENCES = Array.from({ length: 60 }, (_, i) => `sentence ${i} says something else`).join('. ');
const LINE = 'lorem ipsum dolor sit amet ';
const HUGE = LINE.repeat(MEGABYTE / LINE.length);

/** Articles of which others are copies, but for a word. */
const ARTICLES = 25;
const articles = Array.from({ length: ARTICLES }, (_, number) => {
  const random = generator(number);
  return Array.from({ length: 300 }, () => `word${Math.floor(random() * 5000)}`);
});

/** By name: what the post of a number has. Fields left out are empty. */
export const HOSTILE: Record<string, Make> = {
  'one word each, the same': () => ({ fullContent: 'word' }),
  'empty texts': () => ({}),
  'one tag on all, and nothing else alike': (i) => ({ tags: ['all'], fullContent: `w${i} x${i * 7} y${i % 1000}` }),
  'the same text': () => ({ title: 'The same', fullContent: SENTENCES }),
  'near-copies of 25 articles': (i) => {
    const random = generator(i);
    const text = [...articles[i % ARTICLES]!];
    text[Math.floor(random() * text.length)] = `other${i}`;
    return { title: `Article ${i % ARTICLES}`, fullContent: text.join(' ') };
  },
  '50 languages mixed': (i) => {
    const random = generator(i);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const mine = [pick(namesIn), pick(namesIn), pick(namesIn)];
    return { title: pick(mine[0]!), fullContent: Array.from({ length: 150 }, () => pick(pick(mine))).join(' ') };
  },
  'a megabyte each': (i) => ({ fullContent: `${i} ${HUGE}` }),
};

/** Posts of a hostile site, each a minute younger than the one before. */
export function* hostilePosts(make: Make, count: number): Generator<IndexedPost> {
  for (let i = 0; i < count; i++) {
    yield {
      url: `https://hostile.example/${i}`,
      title: '',
      fullContent: '',
      section: '',
      authors: [],
      tags: [],
      pubDate: Date.UTC(2020, 0, 1) + i * 60_000,
      listed: true,
      ...make(i),
    };
  }
}
