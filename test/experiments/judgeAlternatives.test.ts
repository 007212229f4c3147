// When the alternatives of a post get new shares, when one wins, and when their test is given up.
import { describe, expect, test } from 'vitest';
import { type ArmCounts, judgeAlternatives } from '../../server/experiments/judgeAlternatives.ts';
import { thompsonShares } from '../../server/experiments/thompson.ts';
import type { Alternatives } from '../../server/posts/alternatives.ts';
import type { PostCard } from '../../server/posts/post.ts';

const STARTED = Date.UTC(2026, 2, 1);
const DAY = 86_400_000;

const POST: PostCard = {
  url: 'https://example.com/a',
  title: 'Own',
  authors: [],
  section: 'News',
  tags: [],
  imageUrl: 'https://example.com/own.jpg',
  thumbUrl: 'https://example.com/own-small.jpg',
  pubDate: STARTED,
  pageType: 'post',
  language: 'en',
  duration: 0,
  postId: '',
  videoPlatform: '',
  wordCount: 300,
  metadata: '',
  updatedAt: STARTED,
};
const OWN = { title: POST.title, imageUrl: POST.imageUrl, thumbUrl: POST.thumbUrl };

const testOf = (of: Partial<Alternatives> = {}): Alternatives => ({
  others: [{ title: 'Other' }],
  shares: [0.5, 0.5],
  startedAt: STARTED,
  ...of,
});

/** Counts of each alternative as `[shown, successes]`, without decay. */
const counted = (...arms: [shown: number, successes: number][]): ArmCounts => {
  const whole = arms.map(([shown, successes]) => ({ shown, successes }));
  return { arms: whole, whole };
};

const judge = (counts: ArmCounts, days: number, of: Partial<Alternatives> = {}) =>
  judgeAlternatives(POST, testOf(of), { ...counts, now: STARTED + days * DAY });

/** What is stored of the test. */
const storedOf = (patch: ReturnType<typeof judge>) => patch?.alternatives as Alternatives | undefined;

describe('a winner', () => {
  test.each<[when: string, counts: ArmCounts, days: number, winner: number | undefined]>([
    ['at once where it is surely better', counted([500, 5], [500, 60]), 0.5, 2],
    ['at once where the own title is surely better', counted([500, 60], [500, 5]), 0.5, 1],
    ['not below a thousand showings', counted([500, 5], [499, 60]), 0.5, undefined],
    ['not where it is not sure yet', counted([5_000, 100], [5_000, 110]), 6.99, undefined],
    ['not where it is the best with 92 %', counted([1_000, 20], [1_000, 30]), 6.99, undefined],
    ['after seven days, sure or not', counted([5_000, 100], [5_000, 110]), 7, 2],
    ['after seven days with a hundred showings each in the mean', counted([150, 3], [50, 2]), 7, 2],
    ['not after seven days with fewer', counted([150, 3], [49, 2]), 7, undefined],
    ['never without a quality click', counted([9_000, 0], [9_000, 0]), 8, undefined],
  ])('%s', (_, counts, days, winner) => {
    expect(storedOf(judge(counts, days))?.end?.winner).toBe(winner);
  });

  test('needs a thousand showings of late: those of the first days decide on who wins, not on when', () => {
    const whole = counted([5_000, 50], [5_000, 600]).whole;
    const arms = counted([499, 5], [500, 60]).arms;
    expect(storedOf(judge({ arms, whole }, 2))?.end).toBeUndefined();
  });
});

test('after seven days all showings decide, of which few may be of late', () => {
  const whole = counted([150, 3], [150, 9]).whole;
  const arms = counted([20, 2], [20, 0]).arms;
  expect(storedOf(judge({ arms, whole }, 7))?.end?.winner).toBe(2);
});

describe('what a winner replaces', () => {
  const seven = counted([500, 5], [500, 60]);

  test('a title is the post’s own since, and the old one is remembered', () => {
    expect(judge(seven, 1)).toEqual({
      title: 'Other',
      alternatives: testOf({
        shares: thompsonShares(seven.arms),
        end: { at: STARTED + DAY, winner: 2, own: OWN },
        replaced: [{ title: 'Own' }],
      }),
    });
  });

  test('a picture takes the small one of the old picture away', () => {
    const imageUrl = 'https://example.com/other.jpg';
    const patch = judge(seven, 1, { others: [{ imageUrl }], replaced: [{ title: 'Oldest' }] });
    expect(patch).toMatchObject({ imageUrl, thumbUrl: '' });
    expect(patch).not.toHaveProperty('title');
    expect(storedOf(patch)?.replaced).toEqual([
      { title: 'Oldest' },
      { imageUrl: POST.imageUrl, thumbUrl: POST.thumbUrl },
    ]);
  });

  test('nothing where the own title wins', () => {
    const patch = judge(counted([500, 60], [500, 5]), 1);
    expect(Object.keys(patch ?? {})).toEqual(['alternatives']);
    expect(storedOf(patch)).not.toHaveProperty('replaced');
  });
});

test.each<[what: string, counts: ArmCounts, days: number, end: Alternatives['end']]>([
  [
    'is given up after four weeks without enough showings',
    counted([40, 0], [40, 1]),
    28,
    { at: STARTED + 28 * DAY, own: OWN },
  ],
  ['runs until then', counted([40, 0], [40, 1]), 27.99, undefined],
])('a test %s', (_, counts, days, end) => {
  expect(storedOf(judge(counts, days))?.end).toEqual(end);
});

test('nothing changes while no list shows the post, however long', () => {
  expect(judge(counted([0, 0], [0, 0]), 40)).toBeUndefined();
});

test('shares are stored where one of them changes by half a percent', () => {
  const counts = counted([100, 5], [100, 6]);
  const [first = 0, second = 0] = thompsonShares(counts.arms);
  expect(judge(counts, 1, { shares: [first + 0.004, second - 0.004] })).toBeUndefined();
  expect(storedOf(judge(counts, 1, { shares: [first + 0.006, second - 0.006] }))?.shares).toEqual([first, second]);
});
