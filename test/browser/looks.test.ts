// What a publisher sees of the lists, in Chromium.
import { describeInBrowser } from '../support/browser.ts';
import { looks, ZONE } from './looks.ts';

describeInBrowser('a list in Chromium', (browser) => looks(browser, { timezoneId: ZONE }));
