// What is said later about a post, over what was known.
import { describe, expect, test } from 'vitest';
import { mergeMetadata } from '../../server/posts/mergeMetadata.ts';
import type { PostPatch } from '../../server/posts/post.ts';

const url = 'https://example.com/a';

describe('merging', () => {
  const first = mergeMetadata(undefined, {
    url,
    patch: { pageType: 'post', title: 'One', tags: ['a'], fullContent: 'Three little words', pubDate: 5 },
    now: 100,
  });

  test('a new post has every field, empty where nothing was said', () => {
    expect(first).toMatchObject({
      url,
      title: 'One',
      section: '',
      authors: [],
      wordCount: 3,
      duration: 0,
      updatedAt: 100,
    });
    expect(Object.values(first)).not.toContain(undefined);
  });

  test('a field not said keeps its value; one said changes', () => {
    const second = mergeMetadata(first, { url, patch: { title: 'Two', section: undefined }, now: 200 });
    expect(second).toEqual({ ...first, title: 'Two', updatedAt: 200 });
  });

  test('an empty list and a null date are said, too', () => {
    expect(mergeMetadata(first, { url, patch: { tags: [], pubDate: null }, now: 200 })).toMatchObject({
      tags: [],
      pubDate: null,
    });
  });

  test('words are counted again when the text changes, and only then', () => {
    expect(mergeMetadata(first, { url, patch: { fullContent: 'one' }, now: 200 }).wordCount).toBe(1);
    // As an earlier version counted it.
    const known = { ...first, wordCount: 4 };
    expect(mergeMetadata(known, { url, patch: { title: 'x' }, now: 200 }).wordCount).toBe(4);
  });

  test('what the publisher sent stands, whatever the page says, before and after', () => {
    const read = mergeMetadata(undefined, { url, patch: { title: 'Page', section: 'Page' }, by: 'page', now: 1 });
    expect(read).toMatchObject({ title: 'Page', section: 'Page' });
    expect(read.sent).toBeUndefined();
    const sent = mergeMetadata(read, { url, patch: { title: 'Sent', tags: [] }, now: 2 });
    const again = mergeMetadata(sent, {
      url,
      patch: { title: 'Page 2', section: 'Page 2', tags: ['page'], fullContent: 'two words' },
      by: 'page',
      now: 3,
    });
    expect(again).toMatchObject({ title: 'Sent', section: 'Page 2', tags: [], wordCount: 2, sent: ['title', 'tags'] });
    expect(mergeMetadata(again, { url, patch: { title: 'Sent 2' }, now: 4 }).title).toBe('Sent 2');
  });

  test('an event fills in what nothing has said, and is overridden by both others', () => {
    const url = 'https://a.example/a';
    const said: PostPatch = { pageType: 'post', title: 'Event', section: 'Event', tags: ['event'] };
    const event = { url, patch: said, by: 'event' as const, now: 3 };
    const made = mergeMetadata(undefined, event);
    expect(made).toMatchObject(said);
    expect(made.sent).toBeUndefined();
    const read = mergeMetadata(made, { url, patch: { pageType: 'other', title: 'Page' }, by: 'page', now: 4 });
    expect(mergeMetadata(read, event)).toMatchObject({ pageType: 'other', title: 'Page', section: 'Event' });
    const sent = mergeMetadata(read, { url, patch: { section: 'Sent', tags: [] }, now: 5 });
    expect(mergeMetadata(sent, event)).toMatchObject({ title: 'Page', section: 'Sent', tags: [] });
  });

  test('what was known is left as it is', () => {
    const before = structuredClone(first);
    mergeMetadata(first, { url, patch: { title: 'Two' }, now: 200 });
    expect(first).toEqual(before);
  });
});
