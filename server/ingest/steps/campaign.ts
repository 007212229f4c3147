// Which campaign a landing URL carries. Several tools name the same thing differently; the first name found wins.

import { cutName } from '../parseEvent.ts';

export interface Campaign {
  campaignId: string;
  campaignMedium: string;
  campaignSource: string;
  campaignContent: string;
  campaignTerm: string;
}

const NAMES: readonly [keyof Campaign, readonly string[]][] = [
  [
    'campaignId',
    [
      'utm_campaign',
      'itm_campaign',
      'mbid',
      'utm_cid',
      'cid',
      'pk_campaign',
      'cmpid',
      'WT.mc_id',
      'c',
      'c_id',
      'campaign_id',
      'campaign',
    ],
  ],
  ['campaignMedium', ['utm_medium', 'itm_medium']],
  ['campaignSource', ['utm_source', 'itm_source', '__source', '_source']],
  ['campaignContent', ['utm_content', 'itm_content', 'par', '_mid', 'trkid']],
  ['campaignTerm', ['utm_term', 'itm_term', '_ebid']],
];

const ALL_NAMES: ReadonlySet<string> = new Set(NAMES.flatMap(([, names]) => names));

/** Campaign names longer than this are cut: they are labels in a list. */
const MAX_VALUE = 200;

export const NO_CAMPAIGN: Campaign = {
  campaignId: '',
  campaignMedium: '',
  campaignSource: '',
  campaignContent: '',
  campaignTerm: '',
};

/** @param url The landing URL, tracking parameters still in it. An empty value is no value. */
export function readCampaign(url: URL): Campaign {
  if (url.search === '') return NO_CAMPAIGN;
  const values = firstValues(url.search);
  if (values.size === 0) return NO_CAMPAIGN;
  const campaign = { ...NO_CAMPAIGN };
  for (const [field, names] of NAMES) {
    for (const name of names) {
      const value = values.get(name)?.trim();
      if (value) {
        campaign[field] = cutName(value, MAX_VALUE);
        break;
      }
    }
  }
  return campaign;
}

/** One pass over the parameters: a query may have thousands of them, and `URLSearchParams.get` is a linear search. */
function firstValues(search: string): Map<string, string> {
  const values = new Map<string, string>();
  new URLSearchParams(search).forEach((value, name) => {
    if (ALL_NAMES.has(name) && !values.has(name)) values.set(name, value);
  });
  return values;
}
