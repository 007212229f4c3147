// What a publisher sees of the lists, in the Firefox of this machine.
import { looks, ZONE } from '../browser/looks.ts';
import { describeInFirefox } from '../support/firefox.ts';

describeInFirefox('a list in Firefox', ZONE, (browser) => looks(browser));
