// How a visit begins: where the reader comes from, and what kind of article brought them.
import { classifyReferrer, DIRECT, type Referrer } from '../../server/ingest/steps/referrer.ts';
import type { Appetite } from './interest.ts';
import { pickWeighted, type Random } from './random.ts';

export interface Arrival {
  from: Referrer;
  appetite: Appetite;
  /** Starts on the front page. */
  home: boolean;
  campaign: { id: string; medium: string; source: string };
}

const NO_CAMPAIGN = { id: '', medium: '', source: '' };
const WAYS = { search: 40, social: 24, other: 11, direct: 25 };
const ENGINES = weighted({ 'www.google.com': 83, 'www.bing.com': 8, 'duckduckgo.com': 6, 'www.ecosia.org': 3 });
const NETWORKS = weighted({
  'www.linkedin.com': 34,
  'www.facebook.com': 27,
  't.co': 17,
  'www.reddit.com': 13,
  'bsky.app': 6,
  'www.pinterest.com': 3,
});
const OTHERS = weighted({
  'news.ycombinator.com': 22,
  'www.govtech.com': 20,
  'www.nextgov.com': 16,
  'mail.substack.com': 14,
  'en.wikipedia.org': 12,
  'www.smashingmagazine.com': 10,
  'news.google.com': 9,
  'chatgpt.com': 6,
  'www.perplexity.ai': 3,
  'flipboard.com': 2,
});
/** Of ten visits from a network, so many follow the paper's own posts there. */
const OWN_POSTS = 0.3;

export function drawArrival(random: Random): Arrival {
  const way = pickWeighted(random, WAYS);
  switch (way) {
    case 'search':
      return { from: drawFrom(random, ENGINES), appetite: 'searched', home: random() < 0.06, campaign: NO_CAMPAIGN };
    case 'social': {
      const place = drawFrom(random, NETWORKS);
      const campaign =
        random() < OWN_POSTS ? { id: 'editors-pick', medium: 'social', source: place.name } : NO_CAMPAIGN;
      return { from: place, appetite: 'talked-about', home: false, campaign };
    }
    case 'other':
      return { from: drawFrom(random, OTHERS), appetite: 'talked-about', home: false, campaign: NO_CAMPAIGN };
    case 'direct':
      return { from: DIRECT, appetite: 'fresh', home: random() < 0.6, campaign: NO_CAMPAIGN };
  }
}

/** Named by the same rules as real traffic, so that seeded and clicked visits stand in one row. */
function weighted(hosts: Readonly<Record<string, number>>): {
  hosts: Readonly<Record<string, number>>;
  places: Map<string, Referrer>;
} {
  const places = new Map(Object.keys(hosts).map((host) => [host, classifyReferrer(new URL(`https://${host}/`))]));
  return { hosts, places };
}

const drawFrom = (random: Random, { hosts, places }: ReturnType<typeof weighted>): Referrer =>
  places.get(pickWeighted(random, hosts))!;

/** A regular comes by the morning newsletter or types the address. */
export function regularArrival(newsletter: boolean): Arrival {
  const campaign = newsletter ? { id: 'morning-lantern', medium: 'email', source: 'newsletter' } : NO_CAMPAIGN;
  return { from: DIRECT, appetite: 'fresh', home: !newsletter, campaign };
}
