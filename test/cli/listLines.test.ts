// The lines of `afterword lists`, from figures.
import { expect, test } from 'vitest';
import type { ListInfo } from '../../server/cli/admin/lists.ts';
import { listLines } from '../../server/cli/listsCommand.ts';

/** Three days of a newspaper with 5,000 page views a day. */
const RELATED = {
  ...{ lists: 11_500, seen: 65_389, clicks: 3254, click_rate: 0.0498, click_rate_low: 0.0481, click_rate_high: 0.0515 },
  ...{ quality_clicks: 2364, views_caused: 3254, recirculation: 0.1651, engaged_minutes: 8439.033 },
};
const TOP = {
  ...{ lists: 7353, seen: 51_471, clicks: 1084, click_rate: 0.0211, click_rate_low: 0.0199, click_rate_high: 0.0223 },
  ...{ quality_clicks: 816, views_caused: 1084, recirculation: 0.055, engaged_minutes: 4.417 },
};

test('fit 80 columns, and numbers end below each other', () => {
  const found = [
    { name: 'related', title: '', metrics: RELATED },
    { name: 'top', title: '', metrics: TOP },
  ] as ListInfo[];
  expect(listLines('list', found)).toEqual([
    'LIST      SHOWN    SEEN  CLICKS     RATE % (95 %)  QUALITY  VIEWS  OF ALL    MIN',
    'related  11,500  65,389   3,254  4.98 (4.81–5.15)    2,364  3,254  16.5 %  8,439',
    'top       7,353  51,471   1,084  2.11 (1.99–2.23)      816  1,084  5.50 %    4.4',
  ]);
});

test('have no number of lists where the figures are of items, and the title of a post at their end', () => {
  const { lists: _, ...metrics } = TOP;
  const found = [{ name: 'https://a.example/1', title: '港町の渡し船', metrics }] as unknown as ListInfo[];
  const [heading, line] = listLines('post', found);
  expect(heading).toMatch(/^POST +SHOWN +SEEN/);
  expect(line).toMatch(/^https:\/\/a\.example\/1 +- +51,471 .* 港町の渡し船$/);
});
