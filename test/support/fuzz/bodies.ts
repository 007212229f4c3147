// Random bodies: batches of events, metadata, input of partners; right, half right, and nothing at all.
import fc from 'fast-check';
import { VALUES, value } from './values.ts';

interface Keys {
  site: string;
  secrets: readonly string[];
}

/** A plausible value, or anything JSON can hold. */
const loose = (...plausible: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: fc.constantFrom(...plausible), weight: 5 }, value, fc.jsonValue({ maxDepth: 2 }));

const partly = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });

const event = (site: string) => {
  const url = `https://${site}/a`;
  return partly({
    idsite: loose(site, site, site, 'other.example'),
    action: loose('pageview', 'heartbeat', 'videostart', 'vheartbeat', 'conversion', 'share', 'custom'),
    url: loose(url, `${url}?utm_source=x`, `https://${site}/${'long'.repeat(900)}`),
    urlref: loose('', 'https://www.google.com/', url),
    inc: loose(1, '7', 3600, 3601, -1, 1e9),
    tt: loose(1),
    ts: loose(0, 1e15, -1),
    date: loose('2026-11-21T00:00:00Z', 'yesterday', 1e20),
    u: loose('OPTOUT', 'reader'),
    eid: loose('one', 'two'),
    data: loose({ parsely_site_uuid: 'x', network: 'fb', _conversion_type: 'purchase' }, '{"a":1}', '{'),
    metadata: loose({ link: url, title: 'A' }, '{}'),
  });
};

const metadata = (site: string) =>
  partly({
    canonical_url: loose(`https://${site}/a`, `https://${site}/b`, 'javascript:1', 'https://['),
    urls: loose([`https://${site}/a-old`], [], 'https://a', ['x', 1, null]),
    page_type: loose('post', 'index', 'video', 'nonsense'),
    title: loose('A', '', '</script>', 'x'.repeat(10_000)),
    image_url: loose(`https://${site}/a.jpg`, 'data:,'),
    pub_date_tmsp: loose('2026-01-01T00:00:00Z', 'yesterday', 'Infinity'),
    section: loose('World', ['World']),
    authors: loose(['Bob'], 'Bob', [['Bob']]),
    tags: loose(
      ['x'],
      Array.from({ length: 101 }, (_, n) => `t${n}`),
    ),
    full_content: loose('words '.repeat(50)),
    language: loose('en', '!!'),
    duration: loose(12, '12', -1),
    custom_metadata: loose({ a: 1 }, '{"a":1}'),
  });

const JUNK = [
  '',
  '{',
  'null',
  '[]',
  'true',
  '1e999',
  '"\\ud800"',
  '{"__proto__":{"a":1}}',
  '{"events":{"length":1e9}}',
  '['.repeat(20_000),
  '{"a":'.repeat(20_000),
  `{"events":[${'{},'.repeat(3000)}{}]}`,
  'rqs=%7B',
  'rqs=',
  'a=b&a=b',
  '\0'.repeat(100),
  'x'.repeat(600_000),
];

export function body({ site, secrets }: Keys): fc.Arbitrary<string | undefined> {
  const json = (what: fc.Arbitrary<unknown>) => what.map((one) => JSON.stringify(one));
  const batch = partly({
    events: fc.oneof({ arbitrary: fc.array(event(site), { maxLength: 4 }), weight: 6 }, loose([])),
  });
  const keys = { apikey: loose(site), secret: loose(...secrets) };
  const described = fc.record({ ...keys, metadata: fc.oneof({ arbitrary: metadata(site), weight: 6 }, loose({})) });
  const input = partly({
    apikey: loose('Customer.example', ...VALUES.slice(0, 5)),
    timezone: loose('UTC', 'Mars/Base'),
  });
  return fc.oneof(
    { arbitrary: json(batch), weight: 4 },
    { arbitrary: json(described), weight: 4 },
    { arbitrary: json(input), weight: 1 },
    { arbitrary: json(batch).map((text) => `rqs=${encodeURIComponent(text)}`), weight: 1 },
    { arbitrary: json(described).map((text) => text.slice(0, -3)), weight: 1 },
    { arbitrary: fc.constantFrom(...JUNK), weight: 2 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: 200 }), weight: 1 },
    { arbitrary: fc.constant(undefined), weight: 1 },
  );
}
