// POST /events: what anybody may send who has seen the tag on a page.
import { chinese, type HostileBody, repeated, type Target } from './hostileBody.ts';

type Event = Record<string, unknown>;

/** Events are distinguished by their number. */
function events(name: string, count: number, make: (at: number, target: Target) => Event): HostileBody {
  const body = (target: Target) =>
    JSON.stringify({
      events: Array.from({ length: count }, (_, at) => ({
        idsite: target.site,
        action: 'pageview',
        url: `https://${target.site}/${name.replaceAll(' ', '-')}-${target.attempt}`,
        ...make(at, target),
      })),
    });
  return { name, method: 'POST', path: '/events', body, needsSecret: false, isInserted: true, status: 200 };
}

const LONG_HOST = chinese(8000);
/** What a body has room for. */
const LARGE = 500_000;

export const eventBodies: readonly HostileBody[] = [
  events('referrers with hosts of 8,000 Chinese letters', 21, () => ({ urlref: `https://${LONG_HOST}.org/` })),
  events('referrers with percent-encoded hosts', 60, () => ({
    urlref: `https://${encodeURIComponent(LONG_HOST.slice(0, 900))}.org/`,
  })),
  events('referrers with user names before long hosts', 21, () => ({ urlref: `https://a@b@${LONG_HOST}:1/` })),
  events('referrers with backslashes and tabs before long hosts', 21, () => ({ urlref: `ht\ttps:\\\\\n${LONG_HOST}` })),
  events('referrers with hosts of combining marks', 21, () => ({
    urlref: `https://a${repeated('\u0323\u0301', 8000)}.org/`,
  })),
  events('pages with long hosts', 21, () => ({ url: `https://${LONG_HOST}.org/` })),
  events('pages with long hosts that end as the site does', 21, (_, { site }) => ({
    url: `https://${LONG_HOST}.${site}/`,
  })),
  events('videos with long hosts', 40, (_, { site }) => ({
    action: 'videostart',
    url: `https://${site}/`,
    metadata: { link: `https://${LONG_HOST.slice(0, 2000)}.org/` },
  })),
  events('referrers with long paths', 35, () => ({ urlref: `https://a.example/${repeated('中/../', 8000)}` })),
  events('referrers with long user names', 35, () => ({ urlref: `https://${repeated('中:@', 8000)}a.example/` })),
  events('referrers with long queries', 35, () => ({ urlref: `https://a.example/?${repeated('中=&', 8000)}` })),
  events('referrers of the site with long queries', 35, (_, { site }) => ({
    urlref: `https://${site}/?${repeated('中=&', 8000)}`,
  })),
  events('referrers of the site with many tracking parameters', 60, (_, { site }) => ({
    urlref: `https://${site}/?${repeated('_ga&', 8000)}`,
  })),
  events('pages with long queries', 35, (_, { site }) => ({ url: `https://${site}/?${repeated('中=&', 8000)}` })),
  events('pages with many tracking parameters', 60, (_, { site }) => ({
    url: `https://${site}/?${repeated('_ga&', 8000)}`,
  })),
  events('pages with many empty parameters', 60, (_, { site }) => ({ url: `https://${site}/?${repeated('&', 8000)}` })),
  events('pages with tracking parameters that are encoded', 60, (_, { site }) => ({
    url: `https://${site}/?${repeated('utm_%41=%41&', 8000)}`,
  })),
  events('referrers of many labels', 35, () => ({ urlref: `https://${repeated('é.', 8000)}example/` })),
  events('a segment list of commas', 1, () => ({ data: { segments: repeated(',', LARGE) } })),
  events('a segment list of different names', 1, (_, { attempt }) => ({
    data: { segments: names(40_000, attempt).join(',') },
  })),
  events('a list of different segments', 1, (_, { attempt }) => ({ data: { segments: names(33_000, attempt) } })),
  events('a segment of blanks', 1, () => ({ data: { segments: repeated(' ', LARGE) } })),
  events('data of many names', 1, (_, { attempt }) => ({ data: withNames(30_000, attempt) })),
  events('data of many names in an event without an id, which is hashed whole', 1, (_, { attempt }) => ({
    rand: '1',
    data: withNames(30_000, attempt),
  })),
  events('data of escaped letters in an event without an id, which is hashed whole', 1, () => ({
    rand: '1',
    data: { segments: repeated('\u0001', 80_000) },
  })),
  events('metadata of many names', 1, (_, { attempt }) => ({ metadata: withNames(30_000, attempt) })),
  events('times of many digits', 700, () => ({ date: repeated('1', 500) })),
  events('times of many blanks', 700, () => ({ date: `2026-01-01T00:00${repeated(' ', 480)}` })),
  events('ids of combining marks', 250, () => ({ u: repeated('\u0323\u0301', 500) })),
];

/** Others at each attempt; long enough for so many values in a body of their length to be parsed. */
function names(count: number, attempt: number): string[] {
  return Array.from({ length: count }, (_, at) => `${'nmo'[attempt % 3]}${String(at).padStart(9, '0')}`);
}

const withNames = (count: number, attempt: number): Record<string, number> =>
  Object.fromEntries(names(count, attempt).map((name) => [name, 1]));
