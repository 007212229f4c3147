// Lines of posts: an export is understood by the interface and by an import as it stands.
import { expect, test } from 'vitest';
import { exportPost, importPost } from '../../server/cli/transfer/postRow.ts';
import { mergeMetadata } from '../../server/posts/mergeMetadata.ts';
import { parseMetadata } from '../../server/posts/parseMetadata.ts';
import type { PostPatch } from '../../server/posts/post.ts';

test('a post comes back with its other addresses, and with its id for the names made of it', () => {
  const url = 'https://news.example/a';
  const patch: PostPatch = { pageType: 'post', title: 'A', postId: '17', tags: ['x'] };
  const post = mergeMetadata(undefined, { url, patch, now: 1 });
  const line = exportPost(post, [url, `${url}/amp`, 'post-id:17', '17']);
  expect(parseMetadata(line, { kind: 'posts' })).toEqual({ ok: true, value: { url, aliases: [`${url}/amp`], patch } });
});

test('a post comes back with as many other addresses as were sent for it over the years', () => {
  const url = 'https://news.example/a';
  const post = mergeMetadata(undefined, { url, patch: { pageType: 'post', title: 'A' }, now: 1 });
  const aliases = Array.from({ length: 1_001 }, (_, at) => `${url}?version=${at}`);
  const line = exportPost(post, aliases);
  expect(importPost(line)).toMatchObject({ ok: true, value: { url, aliases } });
  // One call of the interface takes 1,000.
  expect(parseMetadata(line, { kind: 'posts' })).toEqual({
    ok: false,
    errors: { urls: ['Must be a list of at most 1000 http or https URLs.'] },
  });
});

test('an import keeps what was sent apart from what was read from the page', () => {
  const url = 'https://news.example/a';
  const ofPage: PostPatch = { pageType: 'post', title: 'Of the page', section: 'World' };
  const read = mergeMetadata(undefined, { url, patch: ofPage, by: 'page', now: 1 });
  const line = exportPost(mergeMetadata(read, { url, patch: { title: 'Sent' }, now: 2 }), []);
  const patch: PostPatch = { pageType: 'post', title: 'Sent', section: 'World' };
  const known = { url, aliases: [] };
  expect(importPost(line)).toEqual({
    ok: true,
    value: { ...known, patch: { title: 'Sent' }, read: { pageType: 'post', section: 'World' } },
  });
  expect(importPost({ ...line, sent_fields: undefined })).toEqual({ ok: true, value: { ...known, patch, read: {} } });
  expect(importPost({ ...line, sent_fields: 'title' })).toMatchObject({
    ok: false,
    errors: { sent_fields: [expect.stringContaining('list')] },
  });
});
