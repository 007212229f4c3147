// What is only sent on purpose: values of every wrong kind and size. A hostile event is dropped or stored as text; it
// never costs its neighbours in the batch their place, never an error, never another table.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newPage, newsroom, now } from './newsroom.ts';

const room = newsroom();
const view = (url: string) => ({ idsite: 'news.example', action: 'pageview', url });
const deep = (levels: number) => `${'[{"a":'.repeat(levels)}1${'}]'.repeat(levels)}`;

/** JSON as text, since much of it cannot be written otherwise. Each beside an honest view of `url`. */
const hostile: Record<string, (url: string) => string> = {
  'data a hundred thousand levels deep': (url) =>
    `{"idsite":"news.example","action":"custom","url":"${url}","ts":1,"data":{"x":${deep(20_000)}}}`,
  'metadata of brackets only': (url) =>
    `{"idsite":"news.example","action":"custom","url":"${url}","ts":1,"metadata":{"link":${'['.repeat(60_000)}${']'.repeat(60_000)}}}`,
  'an event of brackets only': () => `${'['.repeat(60_000)}${']'.repeat(60_000)}`,
  'a prototype': (url) =>
    `{"__proto__":{"idsite":"news.example","action":"pageview"},"constructor":{"prototype":{"x":1}},"url":"${url}"}`,
  'a prototype in its data': (url) =>
    `{"idsite":"news.example","action":"custom","url":"${url}","ts":2,"data":{"__proto__":{"opted_out":true},"toString":1}}`,
  'a field named twice': (url) =>
    `{"idsite":"news.example","action":"install","action":"custom","url":"javascript:1","url":"${url}"}`,
  'numbers beyond all numbers': (url) =>
    `{"idsite":"news.example","action":"custom","url":"${url}","ts":1e999,"date":-1e999,"inc":1e308,"tt":-0,"rand":1e999}`,
  'a year that is none': (url) =>
    `{"idsite":"news.example","action":"custom","url":"${url}","date":"+275760-09-13T00:00:00.001Z","ts":-8640000000000001}`,
  'NUL wherever there is text': (url) =>
    `{"idsite":"news.example","action":"conversion","url":"${url}?utm_campaign=%00","urlref":"https://a\\u0000b/","u":"\\u0000","data":{"segments":["\\u0000"],"_conversion_label":"\\u0000\\u0001\\u001f\\u007f"}}`,
  'halves of characters': (url) =>
    `{"idsite":"news.example","action":"conversion","url":"${url}","u":"\\ud800","data":{"segments":["\\udc00"],"_conversion_label":"\\ud800x\\udfff"}}`,
  'a text of half a megabyte': (url) =>
    `{"idsite":"news.example","action":"custom","url":"${url}","u":"${'u'.repeat(400_000)}","data":{"x":"y"}}`,
  'a thousand segments': (url) =>
    `{"idsite":"news.example","action":"custom","url":"${url}","data":{"segments":[${Array.from({ length: 5000 }, (_, n) => `"s${n}"`)}]}}`,
  'a key of a hundred thousand letters': (url) =>
    `{"idsite":"news.example","action":"custom","url":"${url}","ts":3,"data":{"${'k'.repeat(100_000)}":1}}`,
  SQL: (url) =>
    `{"idsite":"news.example","action":"conversion","url":"${url}","data":{"_conversion_label":"'); DROP TABLE events; --","segments":["\\\\'"]}}`,
};

describe.each(Object.entries(hostile))('%s', (_name, write) => {
  test('harms no other event of the batch', async () => {
    const [url, honest] = [newPage(), newPage()];
    const before = JSON.stringify(view(honest));
    const answer = await room.post(`{"events":[${before},${write(url)},${before}]}`);
    expect([answer.status, await answer.text()]).toEqual([200, '{"success":true}']);
    expect(await room.stored(honest)).toHaveLength(2);
    const outcomes = room.ingest.counts().reduce((sum, { count }) => sum + count, 0);
    expect(outcomes).toBe(3);
    for (const row of await room.stored(url)) expect(Number(row.time)).toBe(now);
  });
});

let tries = 0;
test('whatever the fields are made of, what is counted as stored is stored', async () => {
  const junk = fc.oneof(
    fc.anything({ withBigInt: false, maxDepth: 3 }),
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.date().map(String),
  );
  const field = (honest: string) => fc.oneof({ weight: 3, arbitrary: fc.constant(honest) }, junk);
  const event = fc.record(
    {
      idsite: field('news.example'),
      action: fc.oneof(
        fc.constantFrom('pageview', 'heartbeat', 'videostart', 'vheartbeat', 'conversion', 'share'),
        junk,
      ),
      url: fc.oneof({ weight: 6, arbitrary: fc.constant('https://news.example/junk') }, junk),
      urlref: field('https://t.co/'),
      date: field('2026-11-20T12:00:00Z'),
      ts: field(String(now)),
      inc: fc.oneof(fc.constantFrom(1, 5, 3600, '7', 0.5, 3600.4), junk),
      u: junk,
      ampid: junk,
      eid: junk,
      rand: junk,
      data: fc.oneof(
        fc.record({
          segments: junk,
          network: junk,
          _conversion_type: junk,
          _conversion_label: junk,
          parsely_site_uuid: junk,
          _channel: junk,
          ts: junk,
        }),
        junk,
      ),
      metadata: fc.oneof(fc.record({ link: junk }), junk),
    },
    { requiredKeys: ['idsite', 'action', 'url'] },
  );
  const rows = async () => {
    const [row] = await room.store.traffic.run({ sql: 'SELECT count() AS n FROM events', params: {} });
    return Number(row?.n);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 20, maxLength: 60 }), async (events) => {
      const [before, counted] = [await rows(), room.count('stored')];
      expect((await room.post({ events })).status).toBe(200);
      expect((await rows()) - before).toBe(room.count('stored') - counted);
    }),
    // What was sent once is known: another try sends something else.
    { numRuns: 15, seed: (fc.readConfigureGlobal().seed ?? Date.now()) + tries++ },
  );
  expect(room.count('stored')).toBeGreaterThan(50);
});

test('a pixel may carry anything', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.oneof(text, fc.constantFrom('data', 'metadata', 'url', 'idsite')), text),
      async (query) => {
        const search = Object.entries(query).map(([name, value]) => `${encodeLoosely(name)}=${encodeLoosely(value)}`);
        expect((await room.request(`/plogger/?${search.join('&')}`, {})).status).toBe(200);
      },
    ),
    { numRuns: 200 },
  );
});

/** As careless senders do: only what would end the value. */
const encodeLoosely = (text: string) =>
  Buffer.from(text)
    .toString()
    .replace(/[&#\s]/g, encodeURIComponent);
