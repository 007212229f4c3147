// A newspaper whose readers go on to the post of the same number of the next subject: the words of a page know nothing of
// it, and readers do. As posts and views of an evaluation, and as lines of the commands that import.
import type { Reading } from '../../server/readers/behaviour/behaviour.ts';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const WORDS = Array.from({ length: 16 }, (_, subject) => `matter${'abcdefghijklmnop'[subject]}`);
const PER_WORD = 12;

const url = (subject: number, n: number) => `https://paper.example/${WORDS[subject % WORDS.length]}-${n}`;

export function onwardPosts(now: number): IndexedPost[] {
  return WORDS.flatMap((word, subject) =>
    Array.from({ length: PER_WORD }, (_, n) => ({
      url: url(subject, n),
      title: `${word} ${word}${n}`,
      fullContent: `${word} ${word}side ${word}yard story${subject}x${n} about${subject}x${n}`,
      section: word,
      authors: [],
      tags: [],
      pubDate: now - (subject * PER_WORD + n) * DAY,
      listed: true,
    })),
  );
}

/** Two views of each session, the last three minutes before `now`. */
export function onwardLog(now: number, sessions = 600): Reading[] {
  return Array.from({ length: sessions }, (_, at) => {
    const [subject, n] = [at % WORDS.length, (at * 7) % PER_WORD];
    const time = now - (sessions - at) * 3 * MINUTE;
    return [0, 1].map((step) => ({ time: time + step * MINUTE, visitor: `r${at}`, post: url(subject + step, n) }));
  })
    .flat()
    .sort((a, b) => a.time - b.time);
}

/** As `afterword import posts` reads them. */
export const toPostLines = (some: readonly IndexedPost[]) =>
  some.map((post) => ({
    canonical_url: post.url,
    title: post.title,
    full_content: post.fullContent,
    section: post.section,
    pub_date_tmsp: new Date(post.pubDate!).toISOString(),
  }));

/** As `afterword import views` reads them. */
export const toViewLines = (log: readonly Reading[]) =>
  log.map(({ time, visitor, post }) => ({ time, session: visitor, item: post }));
