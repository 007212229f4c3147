// Names that the tables have are known after a start: they use up none of what a site may invent in an hour.
import { expect, test } from 'vitest';
import { newPage, newsroom } from './newsroom.ts';

const room = newsroom();

const view = (url: string) => ({ idsite: 'news.example', action: 'pageview', url });

test('labels, videos and names of lists that are known from before a start count as no new ones', async () => {
  const url = newPage();
  const names = ['known', 'familiar'];
  const labelled = (name: string) => ({
    ...view(url),
    action: 'conversion',
    data: { _conversion_type: 'purchase', _conversion_label: `label ${name}` },
  });
  const watched = (name: string) => ({
    ...view(url),
    action: 'videostart',
    metadata: { link: `${url}/video-${name}` },
  });
  const listed = (name: string) => ({
    ...view(url),
    action: 'list',
    lists: [{ list: 'related', slot: `slot ${name}`, layout: 'grid', shown: true }],
  });
  const send = (all: string[]) =>
    room.post({ events: all.flatMap((name) => [labelled(name), watched(name), listed(name)]) });
  await send(names);
  await room.restart({ limits: { labelsPerHour: 1, urlsPerHour: 1 } });
  await send(['known', 'new', 'newer', 'familiar']);
  const slots = await room.store.traffic.run({
    sql: 'SELECT slot, count() AS lists FROM ledger WHERE url = {url:String} GROUP BY slot ORDER BY slot',
    params: { url },
  });
  expect(slots.map(({ slot, lists }) => [slot, Number(lists)])).toEqual([
    ['(other)', 1],
    ['slot familiar', 2],
    ['slot known', 2],
    ['slot new', 1],
  ]);
  const stored = await room.stored(url);
  const valuesOf = (column: string) =>
    stored
      .map((row) => row[column])
      .filter((value) => value !== '')
      .sort();
  const expected = (name: (of: string) => string) =>
    ['(other)', ...['familiar', 'familiar', 'known', 'known', 'new'].map(name)].sort();
  expect(valuesOf('conversion_label')).toEqual(expected((of) => `label ${of}`));
  expect(valuesOf('video')).toEqual(expected((of) => `${url}/video-${of}`));
});
