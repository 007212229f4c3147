// What the morning page says of referrers that are among the first of some days only.
import { expect, test } from 'vitest';
import { readMorningPage } from '../../server/rankings/morningPage.ts';
import { openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T07:00:00Z');
const DAY = 86_400_000;
const YESTERDAY = NOW - DAY;
const WEEKS = [1, 2, 3, 4].map((week) => YESTERDAY - week * 7 * DAY);
const url = 'https://paper.example/a';

const from = (referrer: string, time: number, count: number) =>
  Array.from({ length: count }, () => ({
    ...{ url, time, referrer },
    referrerHost: referrer,
    referrerType: 'other' as const,
  }));

/** Two views from each of sixty sites. */
const crowd = (time: number) => Array.from({ length: 60 }, (_, each) => from(`site-${each}.example`, time, 2)).flat();

test('a referrer that few views of a day came from is beside these, and neither new nor gone', async () => {
  const room = await openNewsroom({ now: NOW });
  try {
    await room.write(url, { title: 'A' });
    await room.happen(
      ...[...crowd(YESTERDAY), ...from('risen.example', YESTERDAY, 9), ...from('fallen.example', YESTERDAY, 1)],
      ...WEEKS.flatMap((time) => [
        ...crowd(time),
        ...from('risen.example', time, 1),
        ...from('fallen.example', time, 30),
      ]),
    );
    const { sources, changes } = await readMorningPage(room.deps, room.site, NOW);
    expect(sources[0]).toEqual({ name: 'risen.example', views: 9, usual: 1 });
    expect(changes.slice(0, 2)).toEqual([
      { of: 'referrer', name: 'fallen.example', views: 1, usual: 30 },
      { of: 'referrer', name: 'risen.example', views: 9, usual: 1 },
    ]);
  } finally {
    await room.close();
  }
});
