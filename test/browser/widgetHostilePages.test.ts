// Pages with elements named like what a script looks for, slots with odd attributes, and overridden languages: a table, in a browser.
import { afterAll, beforeAll, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { type HostileStage, openHostileStage } from '../support/hostileStage.ts';
import { CLOBBERED, type HostilePage, SLOTS } from './hostilePages.ts';

const TABLES: Record<string, Record<string, HostilePage>> = {
  'a page with elements named like what scripts look for': CLOBBERED,
  'a page with a hostile slot': SLOTS,
};

describeInBrowser('nothing foreign runs, the page is unharmed and its list or its own content shows on', (browser) => {
  let hostile: HostileStage;
  beforeAll(async () => {
    hostile = await openHostileStage(browser());
  });
  afterAll(() => hostile.close());

  for (const [what, pages] of Object.entries(TABLES))
    it.concurrent.each(Object.keys(pages))(`${what}: %s`, (name) => hostile.judge(pages[name]!));
});
