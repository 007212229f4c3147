// How the titles and pictures of a post are compared, as the interface, the command line and webhooks say it.
import type { HeadlineRecord } from '../contract/alternatives.ts';
import { threeDecimals } from '../threeDecimals.ts';
import type { Alternatives } from './alternatives.ts';
import type { PostCard } from './post.ts';

/** @returns undefined where nothing is or was compared. */
export function toHeadlineRecord({ alternatives: test, ...post }: PostCard): HeadlineRecord | undefined {
  if (test === undefined) return undefined;
  const own = test.end?.own ?? post;
  return {
    url: post.url,
    state: stateOf(test),
    started: timeOf(test.startedAt),
    ended: test.end === undefined ? null : timeOf(test.end.at),
    winner: test.end?.winner ?? null,
    announced: test.end?.announcedAt === undefined ? null : timeOf(test.end.announcedAt),
    alternatives: test.shares.map((share, index) => {
      const { title = own.title, imageUrl = own.imageUrl } = test.others[index - 1] ?? {};
      return { title, image_url: imageUrl, share: threeDecimals(share) };
    }),
  };
}

const timeOf = (time: number) => new Date(time).toISOString();

const stateOf = ({ end }: Alternatives): HeadlineRecord['state'] =>
  end === undefined ? 'running' : end.winner === undefined ? 'stopped' : 'won';
