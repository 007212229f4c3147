// Predictors of the next read: the server's own, its parts, and simple ones to compare them with.
import { HOUR } from '../durations.ts';
import { Behaviour, type Next, type Shares } from '../readers/behaviour/behaviour.ts';
import { recommend } from '../recommend/recommend.ts';
import { Workspace } from '../recommend/workspace.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import type { Predictor } from './nextRead.ts';

const nothing = { learn: () => undefined };
const posts = (found: readonly Next[]) => found.map(({ post }) => post);

/** Predicts by what readers read next, with the given shares of its sources. */
export function byBehaviour(name: string, shares?: Shares): Predictor {
  const behaviour = new Behaviour({ ...(shares && { shares }) });
  return {
    name,
    predict: (read, { now, most }) => posts(behaviour.next(read, { now, most })),
    learn: (reading) => behaviour.learn(reading),
  };
}

/** What was read most in the last hours, whatever is being read. */
function popularFor(hours: number): Predictor {
  let window: { time: number; post: string }[] = [];
  const counts = new Map<string, number>();
  let first = 0;
  let forgetAt = 0;
  let known: { until: number; order: string[] } = { until: 0, order: [] };
  const forgetBefore = (since: number) => {
    for (let oldest = window[first]; oldest !== undefined && oldest.time < since; oldest = window[++first]) {
      const { post } = oldest;
      const count = (counts.get(post) ?? 0) - 1;
      if (count > 0) counts.set(post, count);
      else counts.delete(post);
    }
    if (first * 2 > window.length) {
      window = window.slice(first);
      first = 0;
    }
    // The log may be long before anything is asked.
    forgetAt = since + 2 * hours * HOUR;
  };
  return {
    name: `popular, ${hours} h`,
    predict(read, { now, most }) {
      if (now >= known.until) {
        forgetBefore(now - hours * HOUR);
        const order = [...counts].sort((a, b) => b[1] - a[1]);
        // Counted anew every minute of the log: as fresh as a most-read list is.
        known = { until: now + HOUR / 60, order: order.slice(0, 200).map(([post]) => post) };
      }
      return known.order.filter((post) => !read.includes(post)).slice(0, most);
    },
    learn({ time, post }) {
      if (time >= forgetAt) forgetBefore(time - hours * HOUR);
      window.push({ time, post });
      counts.set(post, (counts.get(post) ?? 0) + 1);
    },
  };
}

const REQUEST = { filters: {}, excluded: new Set<string>(), sort: 'score', page: 1, respectEmpty: true } as const;

/** What is closest in content to the post read last. */
function byContent(index: PostIndex): Predictor {
  const workspace = new Workspace();
  return {
    name: 'content of the post alone',
    predict: ([url], { now, most }) =>
      recommend(index, { ...REQUEST, url: url!, limit: most }, now, workspace).map((one) => one.url),
    ...nothing,
  };
}

/**
 * Personal recommendations as the server gives them.
 * @param of.mix The dial. Default: that of the server.
 */
function byProfile(index: PostIndex, { name, withPost, mix }: Profile): Predictor {
  const readers = new Behaviour();
  const workspace = new Workspace();
  const dials = mix === undefined ? {} : { mix };
  return {
    name: `afterword, /related?${name}`,
    predict(read, { now, most }) {
      const visits = read.map((url) => ({ url, time: now }));
      const url = withPost ? { url: read[0]! } : {};
      const request = { ...REQUEST, ...url, visits, readers, dials, limit: most };
      return recommend(index, request, now, workspace).map((one) => one.url);
    },
    learn: (reading) => readers.learn(reading),
  };
}

interface Profile {
  name: string;
  withPost: boolean;
  mix?: number;
}

const PROFILES: readonly Profile[] = [
  { name: 'uuid', withPost: false },
  { name: 'url&uuid', withPost: true },
  { name: 'url&uuid&mix=0', withPost: true, mix: 0 },
  { name: 'url&uuid&mix=1', withPost: true, mix: 1 },
];

/**
 * All predictors.
 * @param index Default: those that need the content of posts are left out.
 */
export function rankingsOfReaders(index: PostIndex | undefined): Predictor[] {
  return [
    popularFor(24),
    popularFor(1),
    ...(index ? [byContent(index)] : []),
    byBehaviour('sequential rules', { alike: 0, rules: 1, popular: 0 }),
    byBehaviour('sessions alike', { alike: 1, rules: 0, popular: 0 }),
    byBehaviour('afterword, readers alone'),
    ...(index ? PROFILES.map((profile) => byProfile(index, profile)) : []),
  ];
}
