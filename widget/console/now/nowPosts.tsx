// The posts that are read now. Texts come from outside: they are written as text.
import type { NowPost } from '../../../server/contract/now.ts';
import { PostTitle } from '../choiceLink.tsx';
import { toFigure } from '../figures.ts';
import { Sparkline } from './sparkline.tsx';
import { TrendSign } from './trendSign.tsx';

export function NowPosts({ posts }: { posts: readonly NowPost[] }) {
  const most = Math.max(0, ...posts.map(({ visitors }) => visitors));
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Post</th>
          <th scope="col" class="hour">
            Last hour
          </th>
          <th scope="col" aria-sort="descending">
            Readers
          </th>
        </tr>
      </thead>
      <tbody>
        {posts.map((post) => (
          <tr key={post.url} data-key={post.url}>
            <th scope="row">
              <i
                class="bar-of"
                aria-hidden="true"
                style={{ width: `${most === 0 ? 0 : Math.round((post.visitors / most) * 1000) / 10}%` }}
              />
              <PostTitle {...post} />
              <span class="facts">
                <bdi>{post.section}</bdi>
              </span>
            </th>
            <td class="hour">
              <Sparkline course={post.course} trend={post.trend} />
            </td>
            <td>
              <b data-value={post.visitors}>{toFigure(post.visitors)}</b>
              <TrendSign trend={post.trend} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
