// POST /events: what anybody may send who has seen the tag on a page.
import { chinese, type HostileBody, repeated, type Target } from './hostileBody.ts';

type Event = Record<string, unknown>;

/** Events are told apart by their number. */
function events(name: string, count: number, make: (at: number, target: Target) => Event): HostileBody {
  const body = (target: Target) =>
    JSON.stringify({
      events: Array.from({ length: count }, (_, at) => ({
        idsite: target.site,
        action: 'pageview',
        url: `https://${target.site}/${name.replaceAll(' ', '-')}`,
        ...make(at, target),
      })),
    });
  return { name, method: 'POST', path: '/events', body, needsSecret: false, status: 200 };
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
  events('referrers of many labels', 35, () => ({ urlref: `https://${repeated('é.', 8000)}example/` })),
  events('a segment list of commas', 1, () => ({ data: { segments: repeated(',', LARGE) } })),
  events('a segment list of different names', 1, () => ({ data: { segments: names(60_000).join(',') } })),
  events('a list of different segments', 1, () => ({ data: { segments: names(40_000) } })),
  events('a segment of blanks', 1, () => ({ data: { segments: repeated(' ', LARGE) } })),
  events('data of many names', 1, () => ({ data: Object.fromEntries(names(40_000).map((name) => [name, 1])) })),
  events('metadata of many names', 1, () => ({ metadata: Object.fromEntries(names(40_000).map((name) => [name, 1])) })),
  events('times of many digits', 700, () => ({ date: repeated('1', 500) })),
  events('times of many blanks', 700, () => ({ date: `2026-01-01T00:00${repeated(' ', 480)}` })),
  events('ids of combining marks', 250, () => ({ u: repeated('\u0323\u0301', 500) })),
];

function names(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `n${at}`);
}
