// What publishers send about a post, field by field.
import { describe, expect, test } from 'vitest';
import { parseMetadata } from '../../server/posts/parseMetadata.ts';
import type { PostPatch } from '../../server/posts/post.ts';

const url = 'https://example.com/a';

/** The patch of a metadata object that is right; its page type left out. */
function patchOf(fields: Record<string, unknown>): PostPatch {
  const parsed = parseMetadata({ canonical_url: url, ...fields }, { kind: 'posts' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const { pageType, ...patch } = parsed.value.patch;
  return patch;
}

function refusedFields(input: unknown): string[] {
  const parsed = parseMetadata(input, { kind: 'posts' });
  return parsed.ok ? [] : Object.keys(parsed.errors).sort();
}

test('the page itself among its other addresses is none of them', () => {
  const urls = ['https://example.com/b', 'https://EXAMPLE.com/a#top', url];
  const parsed = parseMetadata({ canonical_url: url, urls }, { kind: 'posts' });
  expect(parsed).toMatchObject({ ok: true, value: { url, aliases: ['https://example.com/b'] } });
});

test('everything a publisher can say arrives in our words', () => {
  const parsed = parseMetadata(
    {
      canonical_url: 'https://Example.com:443/a#top',
      urls: ['https://example.com/a?page=2', 'http://example.com/a'],
      page_type: 'post',
      title: ' The Title ',
      image_url: 'https://cdn.example.com/a.jpg',
      thumb_url: 'https://cdn.example.com/a-small.jpg',
      pub_date_tmsp: '2024-05-01T09:30:00Z',
      section: 'News',
      authors: ['Ann', 'bob'],
      tags: ['One', 'one', 'One'],
      full_content: 'Words.',
      language: 'es_mx',
      duration: 12.5,
      post_id: 7,
      custom_metadata: { premium: true },
      video_platform: 'youtube',
    },
    { kind: 'posts' },
  );
  expect(parsed).toEqual({
    ok: true,
    value: {
      url,
      aliases: ['https://example.com/a?page=2', 'http://example.com/a'],
      patch: {
        pageType: 'post',
        title: ' The Title ',
        imageUrl: 'https://cdn.example.com/a.jpg',
        thumbUrl: 'https://cdn.example.com/a-small.jpg',
        pubDate: Date.UTC(2024, 4, 1, 9, 30),
        section: 'News',
        authors: ['Ann', 'bob'],
        tags: ['One', 'one'],
        fullContent: 'Words.',
        language: 'es-MX',
        duration: 12.5,
        postId: '7',
        metadata: '{"premium":true}',
        videoPlatform: 'youtube',
      },
    },
  });
});

describe('what is sent and what is understood', () => {
  test.each<[string, Record<string, unknown>, PostPatch]>([
    ['nothing more', {}, {}],
    ['empty texts are absent', { title: '', section: ' ', image_url: '', pub_date_tmsp: '', custom_metadata: '' }, {}],
    ['empty texts are absent for lists too', { tags: '', authors: '', urls: '' }, {}],
    ['null is absent', { title: null, tags: null }, {}],
    ['an empty list empties the field', { tags: [], authors: [] }, { tags: [], authors: [] }],
    ['blanks in a list are left out', { tags: ['', 'a', ' '] }, { tags: ['a'] }],
    [
      'a text without a comma is a list of one',
      { tags: 'a', authors: 'Ann Lee' },
      { tags: ['a'], authors: ['Ann Lee'] },
    ],
    ['a section in a list of one', { section: ['News'] }, { section: 'News' }],
    ['custom metadata as text is kept as text', { custom_metadata: '{ "a": 1 }' }, { metadata: '{ "a": 1 }' }],
    ['a duration as text', { duration: '90' }, { duration: 90 }],
    [
      'a hundred tags',
      { tags: Array.from({ length: 100 }, (_, i) => `t${i}`) },
      { tags: Array.from({ length: 100 }, (_, i) => `t${i}`) },
    ],
    ['unknown fields are ignored', { colour: 'red', __proto__: { title: 'no' }, constructor: 'x' }, {}],
  ])('%s', (_, fields, patch) => {
    expect(patchOf(fields)).toEqual(patch);
  });

  test.each([
    ['2024-05-01T09:30:00Z', '2024-05-01T09:30:00.000Z'],
    ['2024-05-01T09:30:00', '2024-05-01T09:30:00.000Z'],
    ['2024-05-01 09:30', '2024-05-01T09:30:00.000Z'],
    ['2024-05-01', '2024-05-01T00:00:00.000Z'],
    ['2024-05-01T09:30:00+02:00', '2024-05-01T07:30:00.000Z'],
    ['2024-05-01T09:30:00-0330', '2024-05-01T13:00:00.000Z'],
    ['2024-05-01T09:30:00.123456Z', '2024-05-01T09:30:00.123Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('the date %s is %s', (text, iso) => {
    expect(new Date(patchOf({ pub_date_tmsp: text }).pubDate ?? Number.NaN).toISOString()).toBe(iso);
  });
});

describe('what kind of page it is', () => {
  test.each([
    ['posts', undefined, 'post'],
    ['posts', '', 'post'],
    ['posts', 'index', 'index'],
    ['posts', 'video', 'video'],
    ['videos', undefined, 'video'],
    ['videos', 'post', 'video'],
  ] as const)('at %s, page_type %j is %s', (kind, page_type, expected) => {
    expect(parseMetadata({ canonical_url: url, page_type }, { kind })).toMatchObject({
      value: { patch: { pageType: expected } },
    });
  });
});

describe('what is refused, by the name of its field', () => {
  const good = { canonical_url: url };
  test.each<[unknown, string[]]>([
    [undefined, ['metadata']],
    ['text', ['metadata']],
    [[good], ['metadata']],
    [{}, ['canonical_url']],
    [{ canonical_url: '' }, ['canonical_url']],
    [{ canonical_url: '/a' }, ['canonical_url']],
    [{ canonical_url: 'ftp://example.com/a' }, ['canonical_url']],
    [{ canonical_url: 'javascript:alert(1)' }, ['canonical_url']],
    [{ canonical_url: `https://example.com/${'a'.repeat(2100)}` }, ['canonical_url']],
    [{ ...good, urls: ['example.com/b'] }, ['urls']],
    [{ ...good, urls: ['https://example.com/b', 7] }, ['urls']],
    [{ ...good, urls: {} }, ['urls']],
    [{ ...good, page_type: 'Post' }, ['page_type']],
    [{ ...good, title: 7 }, ['title']],
    [{ ...good, title: 'x'.repeat(2001) }, ['title']],
    [{ ...good, title: 'half \ud800 a pair' }, ['title']],
    [{ ...good, title: 'nul \0' }, ['title']],
    [{ ...good, image_url: 'data:image/png;base64,AA' }, ['image_url']],
    [{ ...good, thumb_url: 'a.jpg' }, ['thumb_url']],
    [{ ...good, pub_date_tmsp: '2024-02-30' }, ['pub_date_tmsp']],
    [{ ...good, pub_date_tmsp: '01/02/2024' }, ['pub_date_tmsp']],
    [{ ...good, pub_date_tmsp: '2024-05-01T25:00' }, ['pub_date_tmsp']],
    [{ ...good, pub_date_tmsp: 1714555800 }, ['pub_date_tmsp']],
    [{ ...good, section: ['a', 'b'] }, ['section']],
    [{ ...good, section: {} }, ['section']],
    [{ ...good, authors: 'Lee, Ann' }, ['authors']],
    [{ ...good, authors: [['Ann']] }, ['authors']],
    [{ ...good, tags: Array.from({ length: 101 }, (_, i) => `t${i}`) }, ['tags']],
    [{ ...good, tags: { a: 1 } }, ['tags']],
    [{ ...good, language: 'not a language' }, ['language']],
    [{ ...good, duration: -1 }, ['duration']],
    [{ ...good, duration: 'long' }, ['duration']],
    [{ ...good, post_id: {} }, ['post_id']],
    [{ ...good, custom_metadata: 'not json' }, ['custom_metadata']],
    [{ ...good, custom_metadata: [1] }, ['custom_metadata']],
    [{ title: 7, tags: 8, urls: 9 }, ['canonical_url', 'tags', 'title', 'urls']],
  ])('%j', (input, fields) => {
    expect(refusedFields(input)).toEqual(fields);
  });
});

test('custom metadata that nests too deep to be written down is refused', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect(refusedFields({ canonical_url: url, custom_metadata: { deep } })).toEqual(['custom_metadata']);
});
