// Pages seen and not known yet: how many networks saw them, and how much memory they may take.
import { expect, test } from 'vitest';
import { createSeenPages } from '../../server/crawl/seenPages.ts';
import { parseSiteId } from '../../server/sites/site.ts';

const site = parseSiteId('news.example')!;
const urlsOf = (taken: ReturnType<ReturnType<typeof createSeenPages>['take']>) =>
  [...taken.values()].flat().map(({ url }) => url);

test('a page counts each network once, and rises whenever they have doubled since it was taken', () => {
  const seenPages = createSeenPages();
  seenPages.see(site, 'a', '203.0.1');
  seenPages.see(site, 'a', '203.0.1');
  seenPages.see(site, 'a', '203.0.2');
  expect(seenPages.take(10).get(site)).toMatchObject([{ url: 'a', networks: ['203.0.1', '203.0.2'] }]);
  expect(seenPages.risen()).toEqual([]);
  const risenAt: number[] = [];
  for (let network = 3; network <= 40; network++) {
    seenPages.see(site, 'a', `203.0.${network}`);
    if (seenPages.risen().length > 0) risenAt.push(network);
  }
  expect(risenAt).toEqual([4, 8, 16]);
  expect(urlsOf(seenPages.take(10))).toEqual([]);
});

test('a page that is settled is not seen again until it is forgotten', () => {
  const seenPages = createSeenPages();
  seenPages.see(site, 'a');
  seenPages.take(10);
  seenPages.settle(site, 'a');
  for (const network of ['203.0.1', '203.0.2', '203.0.3']) seenPages.see(site, 'a', network);
  expect([urlsOf(seenPages.take(10)), seenPages.risen()]).toEqual([[], []]);
  seenPages.forget(site, ['a']);
  seenPages.see(site, 'a');
  expect(urlsOf(seenPages.take(10))).toEqual(['a']);
});

test('of a site that was removed nothing is remembered, and of others everything', () => {
  const seenPages = createSeenPages();
  const other = parseSiteId('news.example.org')!;
  const pages = ['settled', 'risen', 'waits', `long-${'x'.repeat(1_000)}`];
  const seeAll = () => {
    for (const of of [site, other]) for (const page of pages) seenPages.see(of, page, '203.0.1');
  };
  for (const of of [site, other]) seenPages.settle(of, 'settled');
  for (const of of [site, other]) seenPages.see(of, 'risen');
  seenPages.take(10);
  seeAll();
  seenPages.forgetSite(site);
  expect(seenPages.risen()).toMatchObject([{ site: other, url: 'risen' }]);
  expect(urlsOf(seenPages.take(10))).toEqual(pages.slice(2));
  seeAll();
  expect([...seenPages.take(10)]).toMatchObject([[site, pages.map((url) => ({ url }))]]);
});

test('those that wait are bounded in characters, and a later view brings what was left out', () => {
  const seenPages = createSeenPages();
  const long = (page: number) => `https://news.example/${String(page).padStart(2_000, '0')}`;
  for (let page = 0; page < 5_000; page++) seenPages.see(site, long(page));
  const first = urlsOf(seenPages.take(10_000));
  expect(first.length).toBeGreaterThan(1_000);
  expect(first.join('').length).toBeLessThan(4_010_000);
  seenPages.see(site, long(4_999));
  expect(urlsOf(seenPages.take(10))).toEqual([long(4_999)]);
});
