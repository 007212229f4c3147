// Golden rankings: real articles, the first five expected below each, and why each stands there. A change of the
// ranking that moves one of these is not wrong by itself, but its commit says why the new ones are better.
import { beforeAll, describe, expect, test } from 'vitest';
import { readSite } from '../../bench/related/sites.ts';
import { evaluateOne, indexOf, ourRanker } from '../../server/evaluation/evaluate.ts';
import { recommend } from '../../server/recommend/recommend.ts';
import type { PostIndex } from '../../server/textindex/postIndex.ts';
import { request } from './corpus.ts';

const articles = readSite('18f');
let index: PostIndex;
beforeAll(() => {
  index = indexOf(articles.posts);
});

const ORIGIN = 'https://18f.gsa.gov/';
const first = (url: string): string[] =>
  recommend(index, request({ url: ORIGIN + url, limit: 5 }), Date.UTC(2030, 0)).map((one) =>
    one.url.slice(ORIGIN.length),
  );

test('editors’ own links are found as well as the figures say', () => {
  const steps = evaluateOne('', ourRanker(index), { articles, clock: () => 0 });
  const { result } = [...steps].at(-1)!;
  expect(result!.ndcg).toBeGreaterThan(0.55);
});

describe('below an article stand', () => {
  test.each<[why: string, article: string, expected: string[]]>([
    [
      'the follow-up, the other posts about the same park site, then one by its author on the same craft',
      '2015-09-03-every-kid-in-a-park',
      [
        '2015-10-21-every-kid-in-a-park-follow-up', // what became of it
        '2016-05-20-get-your-pass-for-kids-to-parks-day', // the same programme a year later
        '2016-07-06-illinois-fourth-grade-class-uses-every-kid-in-a-park-to-explore', // a class that used it
        '2016-10-26-writing-for-web-easy-writing-for-users-not', // by the same author, on writing that site
        '2015-12-23-looking-back-2015-our-own-words', // the review of its year, with the programme in it
      ],
    ],
    [
      'the start of the same programme and its steps',
      '2015-11-18-the-current-future-of-18f-marketplaces',
      [
        '2015-01-08-creating-a-federal-marketplace-for-agile-delivery-services', // where the marketplace began
        '2015-12-03-epa-environmental-digital-services-marketplace', // the next marketplace, two weeks later
        '2015-04-23-coming-soon-the-agile-delivery-services-soliciatation', // the call for bids
        '2015-08-28-announcing-the-agile-BPA-awards', // who won the contracts
        '2015-06-15-agile-bpa-is-here', // the opening
      ],
    ],
    [
      'posts about the same service only: features, findings, how it was built',
      '2016-02-18-analytics.usa.gov-agency-specific-dashboards',
      [
        '2016-06-17-exciting-additions-to-analytics-usa-gov', // the next features
        '2016-03-28-interesting-things-we-learned-from-examining-traffic-patterns-on-analytics-usa-gov', // findings from the same data
        '2015-12-02-analytics-usa-gov-new-features-more-data', // the features before
        '2015-10-20-digital-analytics-program-anniversary', // the programme behind it
        '2015-03-19-how-we-built-analytics-usa-gov', // how it was made
      ],
    ],
    [
      'the next part of the series, the one before, then its programme',
      '2016-07-26-buying-better-digital-products-part-2-setting-the-product-vision-and-strategy',
      [
        '2016-08-04-buying-better-digital-products-part-3-mapping-user-stories', // part 3
        '2016-07-21-buying-better-digital-products-part-1-proto-personas-and-understanding-the-problem', // part 1
        '2016-07-13-3-ways-for-digital-acqusition-teams-to-work-better', // the same team, the same month
        '2016-06-15-two-agencies-participating-in-the-digital-acquisition-accelerator-pilot', // the agencies taking part
        '2016-10-12-announcing-the-digital-acquisition-accelerator-playbook', // what came of it
      ],
    ],
    [
      'the parts of the series, then the later series on the same subject',
      '2018-12-11-product-management-at-18F-part-2-acquisitions',
      [
        '2018-12-04-product-management-at-18f-part-1-new-engagements', // part 1
        '2018-12-20-product-management-at-18F-part-3', // part 3
        '2019-02-14-product-manager-10x', // part 4
        '2019-11-19-building-product-management-capacity-in-government-part-2', // the later series, part 2
        '2019-08-22-building-product-management-capacity-in-government-part-1', // the later series, part 1
      ],
    ],
    [
      'the micro-purchase experiment, which the article is about without naming it in its title, then open source',
      '2016-12-13-lowering-risk-of-experimentation-open-source-code',
      [
        '2016-07-07-when-a-micropurchase-doesnt-work-out-we-try-to-learn-from-it', // when one fails
        '2016-01-15-micro-purchase-auctions-round-2-what-we-learned', // what the second round taught
        '2015-10-13-open-source-micropurchasing', // the first experiment
        '2016-11-04-code-gov-the-next-milestone-federal-open-source-code', // open source code, the other half of the article, a month before
        '2016-01-07-announcing-the-18f-micro-purchase-platform', // the platform announced
      ],
    ],
    [
      'reusable projects and the cities that reused them',
      '2016-04-12-7-18f-projects-that-state-and-local-governments-can-reuse',
      [
        '2016-04-21-checklistomania-makes-it-easy-to-keep-track-of-relative-tasks', // one of the seven, a week later
        '2014-08-12-the-contributors-guide-to-18f-code-for-the-common', // the guide to contributing
        '2016-04-06-take-our-code-18f-projects-you-can-reuse', // the long list
        '2016-01-06-tips-for-adapting-analytics-usa-gov', // adapting one of them
        '2015-11-10-boston-is-using-gsa-calc-tool', // a city using one of them
      ],
    ],
    [
      'research methods, another tool of research, the guild, and how researchers reflect',
      '2017-11-08-four-lessons-we-learned-while-building-our-own-design-research-recruiting-tool',
      [
        '2018-11-20-introduction-to-remote-moderated-usability-testing-part-2-how', // finding people for remote tests
        '2020-12-14-a-dashboard-for-privacy-offices', // another tool that was shaped by research
        '2019-03-07-six-ways-we-improved-tts-design-research-guild', // the guild
        '2018-11-13-introduction-to-remote-moderated-usability-testing-part-1', // its first part
        '2018-10-23-two-exercises-for-improving-design-research-through-reflective-practice', // how design researchers reflect on their work
      ],
    ],
    [
      'openness as a way of working, first the team that chose it',
      '2015-01-16-open-source-for-good-government',
      [
        '2014-07-29-18f-an-open-source-team', // the policy behind it
        '2014-11-26-how-to-use-more-open-source', // how to begin with it
        '2015-12-22-uk-digital-service-visits-us-to-begin-series-of-exchanges', // the British example
        '2018-05-24-what-agencies-have-to-say-about-working-in-the-open', // what agencies say of it
        '2016-04-19-looking-at-the-different-ways-to-test-content', // testing words, after the British example
      ],
    ],
    [
      'the platform the article is about, then the site that moved to it',
      '2016-05-18-why-were-moving-18f-gsa-gov-to-federalist',
      [
        '2015-09-15-federalist-platform-launch', // the platform launched
        '2016-07-11-conversation-about-static-dynamic-websites', // why sites on it are static
        '2017-06-06-fractal-and-federalist-join-the-us-web-design-standards', // new hands for the platform
        '2017-06-01-federalist-is-out-of-beta-and-open-for-business', // out of beta a year later
        '2015-12-11-how-we-test-18f-gsa-gov', // by the same author, on the site that moves
      ],
    ],
    [
      'the four other parts of a series in five, and one on its subject, writing with vendors',
      '2019-05-07-human-centered-design-for-it-centralization-part-3-working-with-vendors',
      [
        '2019-05-09-human-centered-design-for-it-centralization-part-4-what-happens-after-you-centralize', // part 4
        '2019-04-11-hcd-for-centralization-series-2-deciding-whether-or-not-to-centralize', // part 2
        '2019-04-03-hcd-for-centralization-series-1-why-prioritizing-users-is-important', // part 1
        '2019-05-21-centralization-gone-right-a-case-study-on-uswds', // part 5
        '2015-03-30-new-rfp-ghostwriting-service-to-improve-contract-success', // what to write for vendors
      ],
    ],
    [
      'contracting of the same weeks, then the contracts it looks back on, by the same author where she wrote on it',
      '2020-03-18-an-acquisition-retrospective',
      [
        '2020-03-10-ask-18f-po-vs-cor', // the roles in a contract, a week before
        '2018-07-26-what-we-learned-from-building-a-pool-of-agile-vendors', // the pool this looks back on
        '2020-12-17-18f-and-tts-office-of-acquisition-award-first-assisted-acquisition', // an acquisition of the same year
        '2015-08-28-announcing-the-agile-BPA-awards', // who won the contracts
        '2018-07-17-five-contracting-tweaks-that-have-yielded-18f-better-procurements', // tweaks to contracts
      ],
    ],
  ])('%s', (_, article, expected) => {
    expect(first(article)).toEqual(expected);
  });
});
