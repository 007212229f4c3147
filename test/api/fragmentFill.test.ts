// Fragments of related posts where too few are related: filled up, unless they are to be strict.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { OverloadedError } from '../../server/errors.ts';
import { titlesIn } from '../support/fragmentTitles.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { replaceSite } from '../support/replaceSite.ts';

const NOW = Date.parse('2040-03-20T16:30:00Z');
const HOUR = 3_600_000;
const url = (name: string) => `https://paper.example/${name}`;
/** Two about the same, and others about something else each: near copies would be listed once. */
const POSTS: Record<string, string> = {
  lutes: 'Zithers and dulcimers are strung and tuned by hand. So are lutes.',
  harps: 'Zithers and dulcimers are strung and tuned by hand. So are great harps of kings.',
  bread: 'A baker kneads dough at night, and lets it rise until the oven is hot.',
  ships: 'Masts creak while sailors wait in harbour for an eastern wind.',
  clocks: 'Each pendulum swings as long as its weight sinks; cogs count what it does.',
};

let room: Newsroom;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  for (const [index, [name, text]] of Object.entries(POSTS).entries())
    await room.write(url(name), {
      title: name,
      section: index < 2 ? 'Music' : 'News',
      pubDate: NOW - index * HOUR,
      fullContent: `${text} `.repeat(9),
    });
  await room.happen(...['clocks', 'clocks', 'lutes'].map((name) => ({ url: url(name), time: NOW - HOUR })));
});
afterAll(() => room.close());

async function titles(query: string): Promise<string[]> {
  const answer = await room.app.request(`http://stats.example/v2/fragment/related?apikey=paper.example&${query}`);
  expect(answer.status).toBe(200);
  return titlesIn(await answer.text());
}

describe('a fragment of related posts', () => {
  test('continues with those read most, then with the newest, each once and never the page', async () => {
    expect(await titles(`url=${url('lutes')}&limit=3`)).toEqual(['harps', 'clocks', 'bread']);
    expect(await titles(`url=${url('lutes')}&limit=9`)).toEqual(['harps', 'clocks', 'bread', 'ships']);
  });

  test.each(['fill=off', 'respect_empty_results=1'])('stays as it is with %s', async (strict) => {
    expect(await titles(`url=${url('lutes')}&limit=3&${strict}`)).toEqual(['harps']);
  });

  test.each([
    ['section=Music', ['harps']],
    ['exclude=section:Music', ['bread', 'ships', 'clocks']],
  ])('keeps to its filters: %s', async (filter, expected) => {
    expect(await titles(`url=${url('lutes')}&limit=9&${filter}`)).toEqual(expected);
  });

  test('takes the ranking of its own days, and none where no ranking looks back as far', async () => {
    const time = NOW - 72 * HOUR;
    await room.happen(...['1', '2', '3'].map((visitor) => ({ url: url('ships'), time, visitor })));
    // Lists in memory are older than these views.
    room.setNow(NOW + HOUR / 10);
    const listed = (query: string) => titles(`url=${url('lutes')}&limit=9${query}`);
    expect(await listed('')).toEqual(['harps', 'ships', 'clocks', 'bread']);
    expect(await listed('&days=2')).toEqual(['harps', 'clocks', 'bread', 'ships']);
    expect(await listed('&days=60')).toEqual(['harps', 'bread', 'ships', 'clocks']);
  });

  test('does without the ranking where the site keeps that to itself', async () => {
    await replaceSite(room.deps.sites, { ...room.site, features: { ...room.site.features, top: false } });
    try {
      expect(await titles(`url=${url('lutes')}&limit=8`)).toEqual(['harps', 'bread', 'ships', 'clocks']);
    } finally {
      await replaceSite(room.deps.sites, room.site);
    }
  });

  test('hands on to the widget what it is asked for', async () => {
    const answer = await room.app.request(
      `http://stats.example/v2/fragment/related?apikey=paper.example&url=${url('lutes')}&fill=off&repeat=on`,
    );
    expect(await answer.text()).toMatch(/^<div [^>]*data-fill="off" data-repeat="on"/);
  });
});

test('a list that lacks the ranking for a moment, as the database is asked too much, is kept by no cache', async () => {
  const { store } = room.deps;
  let isBusy = true;
  const run: typeof store.traffic.run = (...question) =>
    isBusy ? Promise.reject(new OverloadedError()) : store.traffic.run(...question);
  const app = createApp({ ...room.deps, store: { ...store, traffic: { ...store.traffic, run } } });
  const ask = async () => {
    const answer = await app.request(
      `http://stats.example/v2/fragment/related?apikey=paper.example&url=${url('lutes')}&limit=3`,
    );
    return { titles: titlesIn(await answer.text()), kept: answer.headers.get('Cache-Control') };
  };
  expect(await ask()).toEqual({ titles: ['harps', 'bread', 'ships'], kept: 'private, no-store' });
  isBusy = false;
  const next = await ask();
  expect(next.titles).not.toEqual(['harps', 'bread', 'ships']);
  expect(next.kept).toContain('public');
});

test('a date without a time is that day on a site west of UTC, too', async () => {
  const pubDate = Date.UTC(2040, 2, 10);
  await room.write(url('dated'), { title: 'dated', section: 'Dated', pubDate, fullContent: 'Of a day.' });
  await replaceSite(room.deps.sites, { ...room.site, timezone: 'America/New_York' });
  const asked = 'apikey=paper.example&section=Dated&limit=1&fill=off';
  const answer = await room.app.request(`http://stats.example/v2/fragment/related?${asked}`);
  await replaceSite(room.deps.sites, room.site);
  expect(await answer.text()).toContain('>Mar 10, 2040<');
});
