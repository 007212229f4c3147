// The content security policy of a fragment: it allows the style that the fragment brings, however many posts it holds.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const POSTS = 4;

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  for (let number = 0; number < POSTS; number++) {
    const url = `https://paper.example/${number}`;
    await room.write(url, { title: `Post ${number}`, pubDate: NOW - 3_600_000 });
    await room.happen({ url, time: NOW - 60_000 });
  }
});
afterAll(() => room.close());

test.each([1, 2, 3, 4, 5, 6, 7].flatMap((limit) => [[limit, 'grid'] as const, [limit, 'list'] as const]))(
  `allows the style of a list of ${POSTS} posts where %i are asked for: %s`,
  async (limit, layout) => {
    for (const more of ['', '&document=1', '&columns=2', '&lang=vi']) {
      const query = `apikey=paper.example&layout=${layout}&limit=${limit}${more}`;
      const answer = await room.app.request(`http://stats.example/v2/fragment/top?${query}`);
      const [, style = ''] = /<style>(.*?)<\/style>/s.exec(await answer.text())!;
      const hash = createHash('sha256').update(style).digest('base64');
      expect(answer.headers.get('Content-Security-Policy')).toContain(`'sha256-${hash}'`);
    }
  },
);
