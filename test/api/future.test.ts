// A post dated in the future appears in no public answer, whatever its parameters say, and in all of them once its date has come.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.UTC(2040, 5, 1, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** When the embargoed post and film come out. */
const DATE = NOW + 2 * HOUR;
const at = (name: string) => `https://paper.example/${name}`;
/** What a reader could know it by; links say again what was asked. */
const HIDDEN = /deal is signed|zyzzyva film|paper\.example\/(?:deal|film)"/;
const LATER = ['2040-06-02', '2099-01-01', '2040-06-01T14:00:00Z', '9999-12-31'];

let room: Newsroom;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  const common = { section: 'Harbour', authors: ['Ada Lovelace'], tags: ['ferry'] };
  const text = 'The ferry deal between the harbour and the islands';
  await room.write(at('deal'), {
    ...common,
    title: 'Zyzzyva deal is signed',
    fullContent: `${text} is secret until noon.`,
    pubDate: DATE,
  });
  await room.write(at('old'), {
    ...common,
    title: 'The ferry deal',
    fullContent: `${text} was talked about.`,
    pubDate: NOW - DAY,
  });
  await room.write(at('film'), { ...common, pageType: 'video', title: 'A zyzzyva film', pubDate: DATE });
  await room.write(at('news-film'), { ...common, pageType: 'video', title: 'A film', pubDate: NOW - DAY });
  await room.happen(
    ...Array.from({ length: 9 }, () => ({ url: at('deal'), time: NOW - HOUR })),
    { url: at('old'), time: NOW - HOUR },
    ...['film', 'film', 'news-film'].map((name) => ({
      url: at('old'),
      video: at(name),
      action: 'videostart' as const,
      time: NOW - HOUR,
    })),
  );
});
afterAll(() => room.close());

const ask = async (path: string) => {
  const response = await room.app.request(
    `http://stats.example/v2${path}${path.includes('?') ? '&' : '?'}apikey=paper.example`,
  );
  return await response.text();
};

const QUESTIONS = [
  '/search?q=zyzzyva',
  '/search?q=zyzzyva&sort=pub_date',
  '/search?q=%22is+secret+until+noon%22',
  '/search?q=deal&section=Harbour',
  '/search?q=deal&author=Ada+Lovelace&tag=ferry&page=1',
  `/related?url=${encodeURIComponent(at('old'))}`,
  '/related?sort=pub_date',
  `/related?uuid=reader&url=${encodeURIComponent(at('old'))}&tag=ferry`,
  '/similar?section=Harbour&author=Ada+Lovelace',
  '/fragment/related?sort=pub_date',
  `/fragment/related?url=${encodeURIComponent(at('old'))}`,
];

const TOP = ['/top/posts', '/top/posts?days=2', '/top/posts?section=Harbour', '/top/videos', '/fragment/top'];

describe.each(QUESTIONS)('%s', (question) => {
  test.each(['', ...LATER.map((end) => `&pub_date_end=${end}`), '&pub_date_start=2040-06-01T13:00:00Z', '&days=3'])(
    'with "%s" shows no post before its date',
    async (bound) => {
      const answer = await ask(question + bound);
      expect(answer).not.toMatch(HIDDEN);
      expect(answer).not.toContain('"success":false');
    },
  );
});

test('a page asked for by its number shows none either', async () => {
  for (const page of [1, 2, 3]) {
    expect(await ask(`/related?limit=1&page=${page}&pub_date_end=2099-01-01`)).not.toMatch(HIDDEN);
    expect(await ask(`/search?q=deal&limit=1&page=${page}&pub_date_end=2099-01-01`)).not.toMatch(HIDDEN);
  }
});

test.each(TOP)('%s shows nothing before its date, however often it was read', async (path) => {
  const before = await ask(path);
  expect(before).not.toMatch(HIDDEN);
  expect(before).toMatch(/paper\.example\/(?:old|news-film)/);
});

test('why a post is recommended is said of none before its date', async () => {
  const { data } = await room.ask('/related', { url: at('old'), explain: '1', pub_date_end: '2099-01-01' });
  expect(data.map(({ url }) => url)).not.toContain(at('deal'));
});

test.each(['/analytics/posts', '/realtime/posts', '/shares/posts'])(
  '%s, which takes the secret, leaves it out unless its date is asked for',
  async (path) => {
    const share = { url: at('deal'), action: 'share' as const, network: 'tw' as const, time: NOW - HOUR };
    await room.happen(share);
    const listed = async (params: Record<string, string>) =>
      (await room.ask(path, params)).data.map(({ url }) => url).includes(at('deal'));
    expect(await listed({})).toBe(false);
    expect(await listed({ pub_date_end: '2040-06-02', time: '24h' })).toBe(true);
  },
);

describe('once its date has come', () => {
  // Lists kept in memory are a minute old at most.
  beforeAll(() => room.setNow(DATE + 60_001));

  test.each([...QUESTIONS, ...TOP])('%s shows it, without a restart', async (question) => {
    expect(await ask(question)).toMatch(HIDDEN);
  });
});
