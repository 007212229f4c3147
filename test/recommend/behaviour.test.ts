// What readers read next: learned from a log, forgotten in time, bounded whatever comes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Behaviour, type Reading } from '../../server/readers/behaviour/behaviour.ts';
import { Clicks } from '../../server/readers/behaviour/clicks.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const NOON = Date.UTC(2026, 5, 1, 12);

/** Visitors by name, each with what they read a minute apart, one visitor after another. */
function learned(sessions: readonly (readonly [visitor: string, read: string])[], at = NOON): Behaviour {
  const behaviour = new Behaviour();
  for (const [i, [visitor, read]] of sessions.entries()) {
    for (const [step, post] of [...read].entries()) {
      behaviour.learn({ time: at + (i * 10 + step) * MINUTE, visitor, post });
    }
  }
  return behaviour;
}

const next = (behaviour: Behaviour, read: string, now = NOON + DAY / 4) =>
  behaviour.next([...read], { now, most: 5 }).map(({ post }) => post);

describe('what is read next', () => {
  test('is what readers of the same post went on to, the one most did first', () => {
    const behaviour = learned([
      ['ann', 'ab'],
      ['bob', 'ab'],
      ['cid', 'ac'],
      ['dan', 'xy'],
      ['eve', 'xy'],
    ]);
    expect(next(behaviour, 'a').slice(0, 2)).toEqual(['b', 'c']);
    expect(next(behaviour, 'x')[0]).toBe('y');
    expect(behaviour.next(['a'], { now: NOON + DAY, most: 5 })).toMatchObject([
      { post: 'b', readers: 2 },
      { post: 'c', readers: 1 },
      { post: 'y', readers: 0 },
      { post: 'x', readers: 0 },
    ]);
  });

  test('is predicted from the whole session, not by its last post alone', () => {
    const behaviour = learned([
      ['ann', 'pab'],
      ['bob', 'qac'],
      ['cid', 'pab'],
      ['dan', 'qac'],
    ]);
    expect(next(behaviour, 'ap')[0]).toBe('b');
    expect(next(behaviour, 'aq')[0]).toBe('c');
  });

  test('is never what was read', () => {
    const behaviour = learned([
      ['ann', 'abc'],
      ['bob', 'abc'],
    ]);
    expect(next(behaviour, 'ba')).toEqual(['c']);
  });

  test('follows the newest readers where habits change', () => {
    const behaviour = new Behaviour({ shares: { alike: 0, rules: 1, popular: 0 } });
    const session = (visitor: string, read: string, time: number) => {
      for (const [step, post] of [...read].entries()) behaviour.learn({ time: time + step * MINUTE, visitor, post });
    };
    for (let i = 0; i < 3; i++) session(`then ${i}`, 'ab', NOON);
    for (let i = 0; i < 2; i++) session(`now ${i}`, 'ac', NOON + 20 * DAY);
    expect(next(behaviour, 'a', NOON + 20 * DAY)).toEqual(['c', 'b']);
  });

  test('of an old post is what its readers went on to, also while a crowd reads another one', () => {
    const behaviour = learned([
      ['ann', 'ab'],
      ['bob', 'ab'],
      ['cid', 'ac'],
    ]);
    const later = NOON + 20 * DAY;
    for (let n = 0; n < 10_000; n++) behaviour.learn({ time: later + n * 100, visitor: '', post: 'viral' });
    const found = behaviour.next(['a'], { now: later + 20 * MINUTE, most: 5 });
    expect(found.map(({ post }) => post)).toEqual(['b', 'c', 'viral']);
    expect(found.every(({ score }) => score > 0)).toBe(true);
  });

  test('for a post without readers, and for who read nothing, is what is popular now', () => {
    const behaviour = learned([
      ['ann', 'x'],
      ['bob', 'x'],
      ['cid', 'y'],
    ]);
    expect(next(behaviour, 'unknown')).toEqual(['x', 'y']);
    expect(next(behaviour, '')).toEqual(['x', 'y']);
    expect(new Behaviour().next(['x'], { now: NOON, most: 5 })).toEqual([]);
  });

  test('readers without an id say what is popular, and nothing of what belongs together', () => {
    const behaviour = learned([
      ['0', 'ab'],
      ['', 'ab'],
    ]);
    expect(behaviour.next(['a'], { now: NOON, most: 5 })).toMatchObject([{ post: 'b', readers: 0 }]);
  });
});

describe('one reader', () => {
  test('who reads a post again and again counts once', () => {
    const behaviour = learned([
      ['ann', 'ab'.repeat(200)],
      ['bob', 'ac'],
      ['cid', 'ac'],
    ]);
    expect(next(behaviour, 'a')[0]).toBe('c');
    expect(behaviour.size.clicks).toBe(6);
  });

  test('who reads everything counts for so many posts, whatever program that is', () => {
    const behaviour = new Behaviour();
    for (let i = 0; i < 5000; i++) behaviour.learn({ time: NOON + i * 1000, visitor: 'bot', post: `p${i}` });
    expect(behaviour.size.clicks).toBe(50);
  });

  test('begins another session after half an hour, and is forgotten by then', () => {
    const behaviour = new Behaviour();
    behaviour.learn({ time: NOON, visitor: 'ann', post: 'a' });
    behaviour.learn({ time: NOON + 31 * MINUTE, visitor: 'ann', post: 'b' });
    expect(behaviour.next(['a'], { now: NOON + DAY, most: 5 })).toMatchObject([{ post: 'b', readers: 0 }]);
    expect(behaviour.size.readers).toBe(1);
    behaviour.tidy(NOON + 62 * MINUTE);
    expect(behaviour.size).toMatchObject({ readers: 0, clicks: 2 });
  });
});

describe('memory', () => {
  test('what is older than four weeks is forgotten', () => {
    const behaviour = learned([
      ['ann', 'ab'],
      ['bob', 'ab'],
    ]);
    behaviour.tidy(NOON + 29 * DAY);
    expect(behaviour.size.clicks).toBe(0);
    expect(next(behaviour, 'a', NOON + 29 * DAY)).toEqual([]);
  });

  test('is bounded by bytes, however much is read', () => {
    const behaviour = new Behaviour();
    for (let i = 0; i < 400_000; i++) {
      behaviour.learn({ time: NOON + i * 100, visitor: `v${Math.floor(i / 20)}`, post: `p${(i * 7919) % 30_000}` });
    }
    expect(behaviour.size.clicks).toBe(2 ** 18);
    expect(behaviour.size.bytes).toBeLessThan(8_000_000);
    expect(behaviour.next(['p1', 'p2'], { now: NOON + 400_000 * 100, most: 20 })).toHaveLength(20);
  });

  test('a ring of clicks follows the same ways as the whole log, as far back as it reaches', () => {
    const log = fc.array(fc.record({ post: fc.nat(6), session: fc.nat(4) }), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(log, fc.constantFrom(8, 16, 64), (entries, most) => {
        const clicks = new Clicks(most);
        const last = new Map<number, number>();
        for (const [at, { post, session }] of entries.entries()) {
          last.set(session, clicks.add(`p${post}`, at * 1000, last.get(session) ?? -1));
        }
        const first = Math.max(0, entries.length - most);
        expect([clicks.oldest, clicks.end]).toEqual([first, entries.length]);
        const found = (at: number, matches: (other: (typeof entries)[number]) => boolean) =>
          at >= first && at < entries.length && matches(entries[at]!);
        for (let at = first; at < entries.length; at++) {
          const { post, session } = entries[at]!;
          const seek = (step: 1 | -1, matches: (other: (typeof entries)[number]) => boolean) => {
            for (let other = at + step; other >= first && other < entries.length; other += step) {
              if (found(other, matches)) return other;
            }
            return -1;
          };
          expect(clicks.posts.urls[clicks.postOf(at)]).toBe(`p${post}`);
          expect(clicks.timeOf(at)).toBe(at * 1000);
          expect(clicks.samePost(at)).toBe(seek(-1, (other) => other.post === post));
          expect(clicks.previous(at)).toBe(seek(-1, (other) => other.session === session));
          expect(clicks.next(at)).toBe(seek(1, (other) => other.session === session));
        }
      }),
      { numRuns: 100 },
    );
  });
});

const reading = fc.record({
  time: fc.integer({ min: 0, max: 3 * 1440 }).map((minutes) => NOON + minutes * MINUTE),
  visitor: fc.constantFrom('', 'ann', 'bob', 'cid', 'dan'),
  post: fc.constantFrom(...'abcdefgh'),
});

test('the same log gives the same answer, best first, none twice and none that was read; the first n are the first n', () => {
  const logs = fc.array(reading, { maxLength: 80 });
  const reads = fc.uniqueArray(fc.constantFrom(...'abcxyz'), { maxLength: 4 });
  fc.assert(
    fc.property(logs, reads, (log: Reading[], read) => {
      const answer = (most: number) => {
        const behaviour = new Behaviour();
        for (const one of [...log].sort((a, b) => a.time - b.time)) behaviour.learn(one);
        return behaviour.next(read, { now: NOON + 3 * DAY, most });
      };
      const found = answer(10);
      expect(answer(10)).toEqual(found);
      expect(answer(3)).toEqual(found.slice(0, 3));
      const posts = found.map(({ post }) => post);
      expect(new Set(posts).size).toBe(posts.length);
      for (const post of read) expect(posts).not.toContain(post);
      for (const [i, { score }] of found.entries()) expect(score).toBeLessThanOrEqual(found[i - 1]?.score ?? 1.6);
    }),
    { numRuns: 100 },
  );
});
