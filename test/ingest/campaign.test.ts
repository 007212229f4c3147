// Campaign values in landing URLs, by the names the common tools give them.
import { describe, expect, test } from 'vitest';
import { readCampaign } from '../../server/ingest/steps/campaign.ts';

const read = (query: string) => {
  const found = readCampaign(new URL(`https://news.example/a${query}`));
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== ''));
};

cases('a landing page ending in', [
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
  [`?utm_campaign=${'x'.repeat(199)}%F0%9F%98%80`, { campaignId: 'x'.repeat(199) }],
  [
    '?utm_source=s&utm_medium=m&utm_campaign=c&utm_content=o&utm_term=t',
    { campaignId: 'c', campaignMedium: 'm', campaignSource: 's', campaignContent: 'o', campaignTerm: 't' },
  ],
]);

/** As mail programs, ad networks, social buttons, feeds and other measuring tools write them. */
cases('a landing page linked by', [
  [
    '?utm_source=Newsletter&utm_medium=email&utm_campaign=a1b2c3d4e5-EMAIL_CAMPAIGN_2026_11_20&utm_term=0_9f-a1b2c3d4e5-123456&mc_cid=a1b2&mc_eid=UNIQID',
    {
      campaignSource: 'Newsletter',
      campaignMedium: 'email',
      campaignId: 'a1b2c3d4e5-EMAIL_CAMPAIGN_2026_11_20',
      campaignTerm: '0_9f-a1b2c3d4e5-123456',
    },
  ],
  [
    '?utm_campaign=Weekly&utm_medium=email&_hsmi=1&_hsenc=p2ANq&utm_content=12345&utm_source=hs_email',
    { campaignId: 'Weekly', campaignMedium: 'email', campaignContent: '12345', campaignSource: 'hs_email' },
  ],
  ['?utm_source=substack&utm_medium=email', { campaignSource: 'substack', campaignMedium: 'email' }],
  [
    '?utm_source=feedburner&utm_medium=feed&utm_campaign=Feed%3A+paper+%28The+Paper%29',
    { campaignSource: 'feedburner', campaignMedium: 'feed', campaignId: 'Feed: paper (The Paper)' },
  ],
  ['?utm_source=rss&utm_medium=rss', { campaignSource: 'rss', campaignMedium: 'rss' }],
  ['?utm_source=dlvr.it&utm_medium=twitter', { campaignSource: 'dlvr.it', campaignMedium: 'twitter' }],
  [
    '?utm_content=buffer3a1f&utm_medium=social&utm_source=facebook.com&utm_campaign=buffer',
    {
      campaignContent: 'buffer3a1f',
      campaignMedium: 'social',
      campaignSource: 'facebook.com',
      campaignId: 'buffer',
    },
  ],
  ['?utm_source=ig_web_copy_link&igshid=MzRlODBiNWFlZA==', { campaignSource: 'ig_web_copy_link' }],
  [
    '?gclid=EAIaIQobChMI&utm_source=google&utm_medium=cpc&utm_campaign={campaignid}&utm_term=running%20shoes',
    { campaignSource: 'google', campaignMedium: 'cpc', campaignId: '{campaignid}', campaignTerm: 'running shoes' },
  ],
  ['?gclid=EAIaIQobChMI&gad_source=1', {}],
  ['?fbclid=IwAR0abc', {}],
  ['?msclkid=1234&dclid=5', {}],
  [
    '?utm_source=taboola&utm_medium=referral&tblci=GiC#tblciGiC',
    { campaignSource: 'taboola', campaignMedium: 'referral' },
  ],
  [
    '?utm_source=outbrain&utm_medium=discovery&utm_campaign=00aa11bb&dicbo=v2-00',
    { campaignSource: 'outbrain', campaignMedium: 'discovery', campaignId: '00aa11bb' },
  ],
  ['?cmpid=BBD112026_BIZ&utm_medium=email', { campaignId: 'BBD112026_BIZ', campaignMedium: 'email' }],
  ['?cid=sm%7Cfb%7Cnews', { campaignId: 'sm|fb|news' }],
  ['?mbid=social_twitter&utm_brand=x', { campaignId: 'social_twitter' }],
  ['?pk_campaign=Autumn&pk_kwd=Boots', { campaignId: 'Autumn' }],
  ['?WT.mc_id=e_DM1234&WT.mc_ev=click', { campaignId: 'e_DM1234' }],
  ['?wt.mc_id=lower', {}],
  [
    '?itm_source=box&itm_medium=related&itm_campaign=after-article&itm_content=3&itm_term=sports',
    {
      campaignSource: 'box',
      campaignMedium: 'related',
      campaignId: 'after-article',
      campaignContent: '3',
      campaignTerm: 'sports',
    },
  ],
  ['?utm_source=a&itm_source=b', { campaignSource: 'a' }],
  [
    '?__source=iosappshare%7Ccom.apple.UIKit.activity.CopyToPasteboard',
    { campaignSource: 'iosappshare|com.apple.UIKit.activity.CopyToPasteboard' },
  ],
  ['?utm_campaign=%F0%9F%8E%84-sale', { campaignId: '🎄-sale' }],
  ['?utm_campaign=%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8', { campaignId: 'новости' }],
  // Written into HTML and copied out of its source.
  ['?utm_source=mail&amp;utm_campaign=lost', { campaignSource: 'mail' }],
  ['?id=7?utm_source=second-question-mark', {}],
  ['?utm_campaign', {}],
  ['?utm_campaign=100%25', { campaignId: '100%' }],
  ['?utm_campaign=100%', { campaignId: '100%' }],
  ['?utm_campaign=a%00b', { campaignId: 'a\u0000b' }],
  ['?utm_campaign=<script>', { campaignId: '<script>' }],
  ['#utm_campaign=in-the-fragment', {}],
  ['?a=1#?utm_campaign=in-the-fragment', {}],
  ['?utm_source=chatgpt.com', { campaignSource: 'chatgpt.com' }],
  ['?campaign[utm_source]=nested', {}],
  ['?xutm_campaign=no&utm_campaignx=no', {}],
  ['?trkid=t1&par=', { campaignContent: 't1' }],
]);

test('of a name that is repeated the first value counts, among thousands of others', () => {
  const others = Array.from({ length: 2000 }, (_, at) => `a${at}=${at}`).join('&');
  expect(read(`?${others}&utm_source=&itm_source=x&itm_source=y&${others}`)).toEqual({ campaignSource: 'x' });
  expect(read(`?${others}&utm%5Fsource=x&utm_source=y`)).toEqual({ campaignSource: 'x' });
});

function cases(title: string, table: [query: string, expected: Record<string, string>][]): void {
  describe(title, () => {
    test.each(table)('%s', (query, expected) => expect(read(query)).toEqual(expected));
  });
}
