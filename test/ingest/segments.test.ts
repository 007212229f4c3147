// Which segments and channel an event names: in `data.segments`, under the keys its site maps, and in `data._channel`.
import { beforeEach, expect, test } from 'vitest';
import { newPage, newsroom, site } from './newsroom.ts';

const room = newsroom();

/** A site that maps three keys. */
const mapped = { ...site, segmentKeys: ['plan', 'is_logged_in', '__proto__'] };
beforeEach(() => room.restart({ sites: { find: () => mapped } }));

/** The views of one batch, stored, by the data they came with. */
async function storedOf(data: readonly unknown[]) {
  const pages = data.map(() => newPage());
  const events = data.map((each, n) => ({ idsite: site.id, action: 'pageview', url: pages[n], data: each }));
  expect((await room.post({ events })).status).toBe(200);
  const sql = 'SELECT url, segments, channel FROM events WHERE url IN {pages:Array(String)}';
  const rows = await room.store.traffic.run({ sql, params: { pages } });
  return pages.map((page) => rows.find(({ url }) => url === page));
}

test('segments are a text or a list, and what stands under a mapped key: text, list, number, or yes', async () => {
  const long = 'x'.repeat(101);
  const cases: [data: unknown, segments: string[]][] = [
    [{ segments: 'members, north' }, ['members', 'north']],
    [{ segments: ['members', 'a, b', 'members'] }, ['members', 'a, b']],
    [{ plan: 'basic' }, ['basic']],
    [{ segments: 'north', plan: ['basic', 'north', 'yearly'] }, ['north', 'basic', 'yearly']],
    [{ plan: 'basic,yearly' }, ['basic', 'yearly']],
    [{ plan: 3, is_logged_in: true }, ['3', 'is_logged_in']],
    [{ plan: '', is_logged_in: false }, []],
    [{ plan: { name: 'basic' }, tier: 'gold' }, []],
    [{ plan: [long, ' short ', null, 7] }, ['short']],
    // No parameter has a NUL, by which it could be asked for.
    [{ segments: ['mem\0bers', '\0'] }, ['members']],
    [JSON.parse('{"__proto__":"inherited"}'), ['inherited']],
    [{ plan: Array.from({ length: 50 }, (_, n) => `plan-${n}`) }, Array.from({ length: 10 }, (_, n) => `plan-${n}`)],
    [{}, []],
  ];
  const rows = await storedOf(cases.map(([data]) => data));
  expect(rows.map((row) => row?.segments)).toEqual(cases.map(([, segments]) => segments));
});

test('a channel is one of the four, anything else is the website', async () => {
  const said = ['website', 'amp', 'apln-rta', 'fbia', 'newsletter', '', 7, null];
  const rows = await storedOf(said.map((_channel) => ({ _channel })));
  expect(rows.map((row) => row?.channel)).toEqual([...said.slice(0, 4), 'website', 'website', 'website', 'website']);
});
