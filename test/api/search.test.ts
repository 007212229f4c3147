// GET /search through the front door, on a real engine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PostPatch } from '../../server/posts/post.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.UTC(2040, 5, 1, 12);
const at = (name: string) => `https://paper.example/${name}`;

let room: Newsroom;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW, timezone: 'America/New_York', publicUrl: 'https://stats.example' });
  const write = (name: string, patch: PostPatch, aliases: readonly string[] = []) =>
    room.write(at(name), patch, aliases);
  await write(
    'ferry',
    {
      title: 'The night ferry',
      fullContent: 'The ferry leaves the old harbour at ten. Tickets are sold at the kiosk.',
      section: 'Travel',
      authors: ['Ada Lovelace', 'Grace Hopper'],
      tags: ['islands', 'slow travel'],
      pubDate: Date.UTC(2040, 4, 30, 8),
      imageUrl: 'https://paper.example/ferry.jpg',
      metadata: '{"mood":"calm"}',
    },
    [at('ferry?amp=1'), at('old-ferry')],
  );
  await write('kiosk', {
    title: 'The kiosk',
    fullContent: 'Newspapers, and tickets for the ferry, from a kiosk at the harbour that is old.',
    section: 'People',
    authors: ['Ada Lovelace'],
    tags: ['islands'],
    pubDate: Date.UTC(2040, 4, 20),
  });
  await write('cafe', {
    title: 'Un café a Zoë',
    fullContent: 'El año próximo abre el café del puerto.',
    section: 'Food',
    tags: ['coffee'],
  });
  await write('tokyo', {
    title: '東京オリンピック',
    fullContent: '京都と東北の選手が東京に集まる。',
    pubDate: NOW - 1,
  });
  await write('budget', { title: 'ميزانية ٢٠٢٤' });
  await write('signs', { title: 'Storm🌪️Watch: ❤️Hafen\u00adrund\u00adfahrt🇩🇪', fullContent: 'Der サーバーXL' });
  await write('long', { title: 'A long read', fullContent: `${'word '.repeat(5000)} the zyzzyva at the end` });
  await write('soon', { title: 'The ferry of tomorrow', pubDate: NOW + 86_400_000 });
  await room.write('http://localhost:8090/dory', { title: 'Local' });
  await room.write('https://www.example.org/swim', { title: 'Cold water' });
  await room.write('https://www.example.org/isles/', { title: 'Archipelago' });
  await room.write('http://www.example.org/ebb', { title: 'Low water' }, ['http://www.example.org/swim']);
  await write('home', { pageType: 'index', title: 'The ferry pages', fullContent: 'ferry harbour kiosk' });
});

afterAll(() => room.close());

type Params = Record<string, string | readonly string[]>;
const found = async (params: Params) =>
  (await room.ask('/search', params)).data.map(({ url }) => url.slice(url.indexOf('/', 8) + 1));

test('answers post records in the envelope, without traffic, to all that have the Site ID', async () => {
  const response = await room.app.request('/v2/search?apikey=paper.example&q=ferry&limit=1');
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  const link = (page: number) => `https://stats.example/v2/search?apikey=paper.example&q=ferry&limit=1&page=${page}`;
  expect(await response.json()).toEqual({
    data: [
      {
        title: 'The night ferry',
        url: at('ferry'),
        link: at('ferry'),
        author: 'Ada Lovelace, Grace Hopper',
        authors: ['Ada Lovelace', 'Grace Hopper'],
        section: 'Travel',
        tags: ['islands', 'slow travel'],
        pub_date: '2040-05-30T08:00:00',
        image_url: 'https://paper.example/ferry.jpg',
        thumb_url_medium: 'https://paper.example/ferry.jpg',
        full_content_word_count: 14,
        metadata: '{"mood":"calm"}',
        _hits: 0,
        metrics: {},
      },
    ],
    meta: { metrics: [], sort: '_score' },
    links: { first: link(1), next: link(2) },
    success: true,
  });
});

describe('finds', () => {
  test.each<[string, Params, string[]]>([
    ['a word of the title before the same in the text', { q: 'ferry' }, ['ferry', 'kiosk']],
    ['a word in any case', { q: 'FERRY' }, ['ferry', 'kiosk']],
    ['its plural', { q: 'kiosks newspaper' }, ['kiosk']],
    ['all words, wherever they stand', { q: 'kiosk night' }, ['ferry']],
    ['an author', { q: 'lovelace hopper' }, ['ferry']],
    ['a tag', { q: 'coffee' }, ['cafe']],
    ['a phrase', { q: '"old harbour"' }, ['ferry']],
    ['a phrase in curly quotes', { q: '“old harbour”' }, ['ferry']],
    ['a phrase that is an author', { q: '"Grace Hopper"' }, ['ferry']],
    ['a phrase that is a tag', { q: '"slow travel"' }, ['ferry']],
    ['no phrase across the end of a title', { q: '"ferry the ferry"' }, []],
    ['no phrase across two names', { q: '"lovelace grace"' }, []],
    ['words around a phrase', { q: 'tickets "old harbour" kiosk' }, ['ferry']],
    ['words where a quote is never closed', { q: 'harbour "old' }, ['ferry', 'kiosk']],
    ['a word without its accent', { q: 'cafe ano' }, ['cafe']],
    ['a word with an accent where there is none', { q: 'férry nïght' }, ['ferry']],
    ['a Japanese word', { q: '東京' }, ['tokyo']],
    ['the next Japanese word', { q: '東京 オリンピック' }, ['tokyo']],
    ['Japanese words written without blanks', { q: '東京オリンピック' }, ['tokyo']],
    ['no characters that do not stand together', { q: '"京東"' }, []],
    ['digits of a keyboard that are not those of the text', { q: '2024' }, ['budget']],
    ['digits of another script', { q: '۲۰۲۴' }, ['budget']],
    ['a word between emoji', { q: 'watch storm' }, ['signs']],
    ['a word behind a variation selector, with soft hyphens', { q: 'Hafenrundfahrt' }, ['signs']],
    ['a word with soft hyphens', { q: '"Hafen\u00adrund\u00adfahrt"' }, ['signs']],
    ['no part of a word with soft hyphens', { q: 'fahrt' }, []],
    ['a Japanese word that ends in a long vowel before Latin letters', { q: '"サーバー"' }, ['signs']],
    ['the end of a long text', { q: 'zyzzyva' }, ['long']],
    ['an apostrophe', { q: "ferry's night" }, ['ferry']],
    ['most of it where no post has all', { q: 'night ferry lovelace hopper xyzzy' }, ['ferry']],
    ['no post by half of what was asked', { q: 'ferry xyzzy' }, []],
    ['nothing where what is quoted is nowhere', { q: 'ferry harbour kiosk "xyzzy"' }, []],
    ['nothing for words that do not occur', { q: 'xyzzy' }, []],
    ['nothing for signs', { q: '!?* "" \'' }, []],
    ['nothing for half a character', { q: '\ud83c' }, []],
    ['one letter', { q: 'a' }, ['cafe', 'long', 'kiosk']],
    ['markup is words', { q: '<b>ferry</b>' }, []],
  ])('%s', async (_, params, expected) => {
    expect((await found(params)).sort()).toEqual([...expected].sort());
  });
});

describe('the address of a post in place of words', () => {
  test.each<[string, Params, string[]]>([
    ['is answered with that post alone', { q: at('ferry') }, ['ferry']],
    ['may be another address of it', { q: at('old-ferry') }, ['ferry']],
    [
      'may have blanks around it, a fragment and the parameters of a campaign',
      { q: ` ${at('kiosk?utm_source=x#top')} ` },
      ['kiosk'],
    ],
    ['may lack its scheme', { q: 'paper.example/ferry' }, ['ferry']],
    ['may have the other scheme', { q: 'http://paper.example/ferry' }, ['ferry']],
    ['may begin after its scheme', { q: '//paper.example/ferry' }, ['ferry']],
    ['may have www. in front of its host', { q: 'www.paper.example/ferry' }, ['ferry']],
    ['may have another www. than the post', { q: 'https://example.org/swim' }, ['swim']],
    ['may end in a slash', { q: 'paper.example/ferry/?utm_source=x' }, ['ferry']],
    ['may lack the slash at its end', { q: 'http://example.org/isles#top' }, ['isles/']],
    [
      'is the one that was typed where the post of another scheme is another',
      { q: 'http://www.example.org/swim' },
      ['ebb'],
    ],
    ['may stand between brackets, as in mails', { q: `<${at('ferry')}>` }, ['ferry']],
    ['is filtered as words are', { q: at('ferry'), section: 'People' }, []],
    ['has no second page', { q: at('ferry'), limit: '1', page: '2' }, []],
    ['finds no post before its date', { q: at('soon') }, []],
    ['may have a host without a point', { q: 'http://localhost:8090/dory' }, ['dory']],
    ['of such a host may lack its scheme, as browsers show it', { q: 'localhost:8090/dory' }, ['dory']],
    ['is words where it is of no post', { q: 'https://paper.example/ferry-kiosk' }, []],
    ['is words where it is of a page that is no post', { q: at('home') }, []],
  ])('%s', async (_, params, expected) => {
    expect(await found(params)).toEqual(expected);
  });

  test('does not bring back a post that is excluded', async () => {
    await room.ask('/exclude/ignore', { url: at('kiosk') });
    expect(await found({ q: at('kiosk') })).toEqual([]);
    await room.ask('/exclude/include', { url: at('kiosk') });
    expect(await found({ q: at('kiosk') })).toEqual(['kiosk']);
  });
});

describe('filters', () => {
  test.each<[string, Params, string[]]>([
    ['a section', { section: 'Travel' }, ['ferry']],
    ['two sections', { section: ['Travel', 'People'] }, ['ferry', 'kiosk']],
    ['a section in another case', { section: 'travel' }, []],
    ['an author', { author: 'Grace Hopper' }, ['ferry']],
    ['two authors', { author: ['Grace Hopper', 'Ada Lovelace'] }, ['ferry']],
    ['a tag', { tag: 'islands' }, ['ferry', 'kiosk']],
    ['two tags', { tag: ['islands', 'slow travel'] }, ['ferry']],
    ['an excluded tag', { exclude: 'tags:"slow travel"' }, ['kiosk']],
    ['an excluded section and author', { exclude: ['section:People', 'authors:Grace Hopper'] }, []],
    ['published since a day of the site', { pub_date_start: '2040-05-30' }, ['ferry']],
    ['published up to a day', { pub_date_end: '2040-05-20' }, ['kiosk']],
    ['published in the last days', { days: '3' }, ['ferry']],
    ['published up to a day to come, but nothing before its date', { pub_date_end: '2040-06-03' }, ['ferry', 'kiosk']],
    ['newest first', { sort: 'pub_date' }, ['ferry', 'kiosk']],
    ['page 2', { limit: '1', page: '2' }, ['kiosk']],
    ['page 3', { limit: '1', page: '3' }, []],
    ['empty values and unknown names', { section: '', boost: 'views', limit: '' }, ['ferry', 'kiosk']],
  ])('%s', async (_, params, expected) => {
    expect(await found({ q: 'ferry', ...params })).toEqual(expected);
  });
});

describe('a word that is not typed to its end', () => {
  test.each<[string, Params, string[]]>([
    ['is none by itself', { q: 'ferr' }, []],
    ['is one where that is asked for', { q: 'ferr', prefix: '1' }, ['ferry', 'kiosk']],
    ['is none where that is not asked for', { q: 'ferr', prefix: '0' }, []],
    ['may be of an author', { q: 'ada love', prefix: 'true' }, ['ferry', 'kiosk']],
    ['may be of a tag', { q: 'isl', prefix: '1' }, ['ferry', 'kiosk']],
    ['is filtered as others are', { q: 'ferr', prefix: '1', section: 'People' }, ['kiosk']],
    ['finds no post before its date', { q: 'tomor', prefix: '1' }, []],
    ['finds no home page', { q: 'pag', prefix: '1' }, []],
  ])('%s', async (_, params, expected) => {
    expect(await found(params)).toEqual(expected);
  });

  test('stays unfinished on the next page', async () => {
    const { links } = await room.ask('/search', { q: 'ferr', prefix: '1', limit: '1' });
    expect(new URL((links as { next: string }).next).searchParams.get('prefix')).toBe('1');
  });
});

test.each<[string, Params]>([
  ['q', {}],
  ['q', { q: '  ' }],
  ['q', { q: 'x'.repeat(10_000) }],
  ['q', { q: 'a\0b' }],
  ['prefix', { q: 'a', prefix: 'yes' }],
  ['limit', { q: 'a', limit: '0' }],
  ['limit', { q: 'a', limit: '2001' }],
  ['page', { q: 'a', limit: '2000', page: '2' }],
  ['sort', { q: 'a', sort: 'views' }],
  ['exclude', { q: 'a', exclude: 'colour:red' }],
  ['tag', { q: 'a', tag: ['1', '2', '3', '4', '5', '6'] }],
  ['pub_date_start', { q: 'a', pub_date_start: 'yesterday' }],
  ['limit, q', { limit: 'x' }],
])('refuses %s in %j', async (names, params) => {
  const answer = await room.ask('/search', params);
  expect(answer).toMatchObject({ code: 422, message: `Bad parameters: ${names}`, success: false });
  expect(answer).not.toHaveProperty('data');
});

test('an unknown site is forbidden, a wrong secret is ignored, and JSON-P is wrapped', async () => {
  const forbidden = await room.app.request('/v2/search?apikey=unknown.example&q=ferry');
  expect(await forbidden.json()).toEqual({ code: 403, message: 'Forbidden', success: false });
  const ignored = await room.app.request('/v2/search?apikey=paper.example&q=ferry&secret=wrong');
  expect(await ignored.json()).toMatchObject({ success: true });
  const wrapped = await room.app.request('/v2/search?apikey=paper.example&q=ferry&callback=show');
  expect(await wrapped.text()).toMatch(/^\/\*\*\/show\(\{"data":\[/);
});

test('an excluded post is gone at once and back at once', async () => {
  await room.ask('/exclude/ignore', { url: at('ferry') });
  expect(await found({ q: 'ferry' })).toEqual(['kiosk']);
  expect(await found({ q: '"Grace Hopper"' })).toEqual([]);
  await room.ask('/exclude/include', { url: at('ferry') });
  expect(await found({ q: 'ferry' })).toEqual(['ferry', 'kiosk']);
});

test('what is written is found at once, what is changed or removed is gone at once', async () => {
  await room.write(at('new'), { title: 'A quagga', fullContent: 'Seen in the park.', authors: ['Jo'] });
  expect(await found({ q: 'quagga' })).toEqual(['new']);
  await room.write(at('new'), { authors: ['Mary Anning'] });
  expect(await found({ q: 'anning quagga' })).toEqual(['new']);
  await room.write(at('new'), { title: 'A zebra' });
  expect(await found({ q: 'quagga' })).toEqual([]);
  expect(await found({ q: 'zebra anning park' })).toEqual(['new']);
  await room.write(at('newer'), { title: 'A zebra, again' }, [at('new')]);
  expect(await found({ q: 'zebra' })).toEqual(['newer']);
  await room.deps.library.remove(room.site.id, [at('newer')]);
  expect(await found({ q: 'zebra' })).toEqual([]);
});
