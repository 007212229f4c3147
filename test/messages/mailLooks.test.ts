// How mails look where a program draws them as a browser does: on a phone and on a desktop, in light and dark.
import { expect, it } from 'vitest';
import { toMail } from '../../server/mail/compose.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { axeFindings } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

/** Without a place to break: a compound noun, and an address. */
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const ADDRESS = `https://paper.example/${'long-'.repeat(30)}`;
const USUAL = { median: 1200, low: 900, high: 1500 };

const MESSAGES = {
  'alarm.spike': {
    text: 'paper.example: many more page views than usual.',
    data: { views: 12_345, expected: 1300, usual: USUAL },
  },
  'headline.won': { text: `paper.example: readers chose “${LONG}” for ${ADDRESS}`, data: { title: LONG } },
  'experiment.ended': { text: `paper.example: ${'grid-or-list-'.repeat(8)}`, data: { experiment: 'x'.repeat(64) } },
} as const;

describeInBrowser('a mail', (browser) => {
  it.each(Object.keys(MESSAGES) as (keyof typeof MESSAGES)[])(
    'is as wide as its window, and readable: %s',
    async (kind) => {
      const { html } = toMail(
        {
          site: parseSiteId('paper.example')!,
          id: 'one',
          at: Date.parse('2040-03-20T12:00:00Z'),
          kind,
          ...MESSAGES[kind],
        },
        {
          ...{
            to: `${'anna.'.repeat(12)}@reader.example`,
            recipient: 'anna',
            domain: 'stats.example',
            zone: 'Etc/UTC',
          },
          ...{ publicUrl: 'https://stats.example', unsubscribe: 'https://stats.example/unsubscribe' },
        },
      );
      const page = await browser().newPage();
      await page.setContent(html!);
      for (const width of [320, 390, 640])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
          expect((await axeFindings(page)).filter((finding) => finding.startsWith('color-contrast'))).toEqual([]);
        }
      await page.context().close();
    },
  );
});
