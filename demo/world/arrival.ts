// How a visit begins: where the reader comes from, and what kind of article brought them.
import type { ReferrerType } from '../../server/ingest/eventRow.ts';
import type { Appetite } from './interest.ts';
import { pickWeighted, type Random } from './random.ts';

export interface Arrival {
  type: Exclude<ReferrerType, 'internal'>;
  /** Brand or domain; "" for direct. */
  referrer: string;
  appetite: Appetite;
  /** Starts on the front page. */
  home: boolean;
  campaign: { id: string; medium: string; source: string };
}

const NO_CAMPAIGN = { id: '', medium: '', source: '' };
const WAYS = { search: 40, social: 24, other: 11, direct: 25 };
const ENGINES = { google: 83, bing: 8, duckduckgo: 6, ecosia: 1, yahoo: 2 };
const NETWORKS = { linkedin: 34, facebook: 27, twitter: 17, reddit: 13, pinterest: 3, youtube: 2 };
const OTHERS = {
  'ycombinator.com': 22,
  'govtech.com': 20,
  'nextgov.com': 16,
  'substack.com': 18,
  'wikipedia.org': 14,
  'github.com': 10,
};
/** Of ten visits from a network, so many follow the paper's own posts there. */
const OWN_POSTS = 0.3;

export function drawArrival(random: Random): Arrival {
  const type = pickWeighted(random, WAYS);
  switch (type) {
    case 'search':
      return {
        type,
        referrer: pickWeighted(random, ENGINES),
        appetite: 'searched',
        home: random() < 0.06,
        campaign: NO_CAMPAIGN,
      };
    case 'social': {
      const referrer = pickWeighted(random, NETWORKS);
      const campaign = random() < OWN_POSTS ? { id: 'editors-pick', medium: 'social', source: referrer } : NO_CAMPAIGN;
      return { type, referrer, appetite: 'talked-about', home: false, campaign };
    }
    case 'other':
      return {
        type,
        referrer: pickWeighted(random, OTHERS),
        appetite: 'talked-about',
        home: false,
        campaign: NO_CAMPAIGN,
      };
    case 'direct':
      return { type, referrer: '', appetite: 'fresh', home: random() < 0.6, campaign: NO_CAMPAIGN };
  }
}

/** A regular comes by the morning newsletter or types the address. */
export function regularArrival(newsletter: boolean): Arrival {
  const campaign = newsletter ? { id: 'morning-lantern', medium: 'email', source: 'newsletter' } : NO_CAMPAIGN;
  return { type: 'direct', referrer: '', appetite: 'fresh', home: !newsletter, campaign };
}
