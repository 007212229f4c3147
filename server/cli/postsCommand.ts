// `afterword posts …`: what is known about the posts of a site.
import { Command, InvalidArgumentError } from 'commander';
import type { PostDetail, PostInfo } from './admin/posts.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { print } from './output.ts';
import { withReach } from './reach.ts';
import { sitePath } from './sitePath.ts';
import { table } from './table.ts';

export function postsCommand(): Command {
  const posts = new Command('posts')
    .summary('look at the posts of a site')
    .description('Posts: what is known about the pages of a site.');

  dataCommand(posts, 'list', 'list the newest posts of a site, and its other pages')
    .argument('<site-id>')
    .option('--limit <number>', 'how many', whole, 20)
    .action(async (id: string, flags: DataFlags & { limit: number }) => {
      const path = sitePath(id, `/posts?limit=${flags.limit}`);
      const found = await withReach(flags, (reach) => reach.ask<PostInfo[]>('GET', path));
      print(flags, found, () => (found.length === 0 ? ['No post yet.'] : listLines(found)));
    });

  dataCommand(posts, 'show', 'show one post, by its URL or any other address of it')
    .argument('<site-id>')
    .argument('<url>')
    .action(async (id: string, url: string, flags: DataFlags) => {
      const path = sitePath(id, `/post?url=${encodeURIComponent(url)}`);
      const found = await withReach(flags, (reach) => reach.ask<PostDetail>('GET', path));
      print(flags, found, () => detailLines(found));
    });

  return posts;
}

function whole(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number from 1 to 99999.');
}

function listLines(posts: readonly PostInfo[]): string[] {
  const rows = posts.map((post) => [
    post.pub_date.slice(0, 10) || '-',
    post.page_type,
    post.section || '-',
    post.title || '-',
    post.url,
  ]);
  return table(['PUBLISHED', 'TYPE', 'SECTION', 'TITLE', 'URL'], rows, {
    shorten: ['TITLE', 'SECTION'],
    lastBelow: true,
  });
}

function detailLines(post: PostDetail): string[] {
  const rows: [string, string][] = [
    ['url', post.url],
    ['other addresses', post.aliases.join('\n')],
    ['type', post.page_type],
    ['title', post.title],
    ['published', post.pub_date],
    ['section', post.section],
    ['authors', post.authors.join(', ')],
    ['tags', post.tags.join(', ')],
    ['image', post.image_url],
    ['thumbnail', post.thumb_url],
    ['language', post.language],
    ['words', String(post.word_count)],
    ['post id', post.post_id],
    ['metadata', post.metadata],
    ['gone since', post.gone],
    ['last change', post.updated],
  ];
  return rows.flatMap(([name, value]) =>
    (value || '-').split('\n').map((line, index) => `${(index === 0 ? name : '').padEnd(16)} ${line}`),
  );
}
