// Lines of posts: an export is understood by the interface and by an import as it stands.
import { expect, test } from 'vitest';
import { exportPost } from '../../server/cli/transfer/postRow.ts';
import { mergeMetadata } from '../../server/posts/mergeMetadata.ts';
import { parseMetadata } from '../../server/posts/parseMetadata.ts';
import type { PostPatch } from '../../server/posts/post.ts';

test('a post comes back with its other addresses, and with its id for the names made of it', () => {
  const url = 'https://news.example/a';
  const patch: PostPatch = { pageType: 'post', title: 'A', postId: '17', tags: ['x'] };
  const post = mergeMetadata(undefined, { url, patch, now: 1 });
  const line = exportPost(post, [url, `${url}/amp`, 'post-id:17', '17']);
  expect(parseMetadata(line, { kind: 'posts' })).toEqual({ ok: true, said: { url, aliases: [`${url}/amp`], patch } });
});
