// Campaign values in landing URLs, by the names the common tools give them.
import { expect, test } from 'vitest';
import { readCampaign } from '../../server/ingest/steps/campaign.ts';

const read = (query: string) => {
  const found = readCampaign(new URL(`https://news.example/a${query}`));
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== ''));
};

test.each([
  ['', {}],
  ['?a=1', {}],
  ['?utm_campaign=spring', { campaignId: 'spring' }],
  ['?itm_campaign=box', { campaignId: 'box' }],
  ['?mbid=m1', { campaignId: 'm1' }],
  ['?utm_cid=u1', { campaignId: 'u1' }],
  ['?cid=c1', { campaignId: 'c1' }],
  ['?pk_campaign=p1', { campaignId: 'p1' }],
  ['?cmpid=k1', { campaignId: 'k1' }],
  ['?WT.mc_id=w1', { campaignId: 'w1' }],
  ['?c=1', { campaignId: '1' }],
  ['?c_id=2', { campaignId: '2' }],
  ['?campaign_id=3', { campaignId: '3' }],
  ['?campaign=4', { campaignId: '4' }],
  ['?campaign=last&utm_campaign=first', { campaignId: 'first' }],
  ['?c=a&cid=b', { campaignId: 'b' }],
  ['?utm_campaign=&cid=b', { campaignId: 'b' }],
  ['?utm_campaign=%20&cid=b', { campaignId: 'b' }],
  ['?utm_medium=email', { campaignMedium: 'email' }],
  ['?itm_medium=banner', { campaignMedium: 'banner' }],
  ['?utm_source=letter', { campaignSource: 'letter' }],
  ['?itm_source=home', { campaignSource: 'home' }],
  ['?__source=x', { campaignSource: 'x' }],
  ['?_source=y', { campaignSource: 'y' }],
  ['?__source=x&_source=y&utm_source=z', { campaignSource: 'z' }],
  ['?utm_content=top', { campaignContent: 'top' }],
  ['?par=p&_mid=m&trkid=t', { campaignContent: 'p' }],
  ['?_mid=m&trkid=t', { campaignContent: 'm' }],
  ['?trkid=t', { campaignContent: 't' }],
  ['?utm_term=shoes', { campaignTerm: 'shoes' }],
  ['?_ebid=e', { campaignTerm: 'e' }],
  ['?utm_campaign=a+b%20c', { campaignId: 'a b c' }],
  ['?utm_campaign=%C3%BCber', { campaignId: 'über' }],
  ['?utm_campaign=one&utm_campaign=two', { campaignId: 'one' }],
  ['?UTM_CAMPAIGN=loud', {}],
  [`?utm_campaign=${'x'.repeat(300)}`, { campaignId: 'x'.repeat(200) }],
  [
    '?utm_source=s&utm_medium=m&utm_campaign=c&utm_content=o&utm_term=t',
    { campaignId: 'c', campaignMedium: 'm', campaignSource: 's', campaignContent: 'o', campaignTerm: 't' },
  ],
])('%s', (query, expected) => expect(read(query)).toEqual(expected));
