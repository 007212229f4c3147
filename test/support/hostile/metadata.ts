// POST /v2/metadata/posts: the largest posts a publisher may send, in every script.
import { chinese, type HostileBody, repeated, type Target } from './hostileBody.ts';

/** Longest text of a post, in UTF-16 units. */
const TEXT = 2_000_000;

type Metadata = Record<string, unknown>;

function post(name: string, make: (target: Target) => Metadata, status = 200): HostileBody {
  const body = (target: Target) =>
    JSON.stringify({
      apikey: target.site,
      secret: target.writeSecret,
      metadata: {
        canonical_url: `https://${target.site}/${name.replaceAll(' ', '-')}-${target.attempt}`,
        ...make(target),
      },
    });
  const headers = { 'Content-Type': 'application/json' };
  return { name, method: 'POST', path: '/v2/metadata/posts', headers, body, needsSecret: true, status };
}

/** With custom metadata that no object of ours could be turned into text: it is written as it is. */
function written(name: string, customMetadata: string): HostileBody {
  const row = post(name, () => ({ custom_metadata: null }), 422);
  return { ...row, body: (target) => String(row.body!(target)).replace('null', customMetadata) };
}

const text = (name: string, pattern: string): HostileBody =>
  post(`a text of ${name}`, () => ({ title: name, full_content: repeated(pattern, TEXT) }));

/** A list of so many texts that begin differently. */
const different = (count: number, rest: string): string[] => Array.from({ length: count }, (_, at) => `${at}${rest}`);

export const metadataBodies: readonly HostileBody[] = [
  text('English', 'The night ferry leaves the old harbour at nine. '),
  post('an English text with one Chinese name', () => ({
    title: 'name',
    full_content: `東京 ${repeated('The night ferry leaves the old harbour at nine. ', TEXT - 3)}`,
  })),
  text('Japanese', '東京では昨日の夜から強い雨が降り、交通機関に大きな影響が出ています。'),
  text('one Chinese letter', '中'),
  post('a text of different Chinese letters', () => ({ title: 'letters', full_content: chinese(TEXT) })),
  text('rare Chinese letters', '𠀀𠀁'),
  text('Thai', 'กรุงเทพมหานครเป็นเมืองหลวง'),
  text('Korean', '야간 페리는 옛 항구를 출발합니다 '),
  text('Burmese', 'မြန်မာနိုင်ငံ'),
  text('letters of two scripts by turns', 'a中'),
  text('letters and pairs of another script', 'a中国'),
  text('combining marks', '\u0323\u0301'),
  text('words of one letter with combining marks', `a${'\u0323\u0301'.repeat(15)}`),
  text('Arabic vowel signs', '\u064e\u0651'),
  text('half-width voicing marks', '\uff9e\u0323'),
  text('one letter without a blank', 'a'),
  text('words of one letter', 'a '),
  text('quotes', '"'),
  text('apostrophes', "s's "),
  text('blanks', ' '),
  text('line ends', '\n'),
  text('families of emoji', '👨\u200d👩\u200d👧'),
  text('zero-width blanks', '\u200b'),
  text('marks of direction', '\u202eשלום\u202c '),
  text('one letter that stands for eighteen', '\ufdfa'),
  text('capital dotted I', 'İ'),
  text('markup', '<p><b>&amp;</b>'),
  post('a text of lone surrogates', () => ({ full_content: repeated('\ud800a', 1_000_000) }), 422),
  post('tags of combining marks', () => ({ tags: different(100, repeated('\u0323\u0301', 1990)) })),
  post('tags of letters that stand for eighteen', () => ({ tags: different(100, repeated('\ufdfa', 1990)) })),
  post('authors of Chinese letters', () => ({ authors: different(100, chinese(1990)) })),
  post('a title of combining marks', () => ({ title: repeated('\u0323\u0301', 2000) })),
  post('a thousand aliases', ({ site }) => ({
    urls: different(1000, repeated('é/', 300)).map((path) => `https://${site}/${path}`),
  })),
  post('aliases with long hosts', () => ({ urls: [`https://${chinese(2000)}.org/`] }), 422),
  post('a picture with a long host', () => ({ image_url: `https://${chinese(8000)}.org/` }), 422),
  post('a canonical URL with a long host', () => ({ canonical_url: `https://${chinese(8000)}.org/` }), 422),
  post('a language of hyphens', () => ({ language: repeated('a-', 2000) }), 422),
  post('custom metadata of brackets', () => ({ custom_metadata: `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}` })),
  written('custom metadata nested without end', `{"a":${repeated('[', TEXT)}${repeated(']', TEXT)}}`),
  post('aliases with user names that are dropped', ({ site }) => ({
    urls: different(1000, '').map((path) => `https://${repeated('中', 2400)}@${site}/${path}`),
  })),
  post('dates of digits', () => ({ pub_date_tmsp: repeated('1', TEXT) }), 422),
  post('a duration of digits', () => ({ duration: repeated('1', TEXT) }), 422),
  post('a section of blanks', () => ({ section: repeated(' ', TEXT) })),
];
