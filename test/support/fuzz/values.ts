// What hostile and careless senders write where a value belongs.
import fc from 'fast-check';

export const VALUES = [
  '',
  ' ',
  '0',
  '1',
  '10',
  '2000',
  '2001',
  '-1',
  '1e9',
  '99999999999999999999',
  '0x10',
  'NaN',
  'null',
  'views',
  'visitors',
  'avg_engaged_new',
  'recirculation_rate',
  'pub_date',
  '3d',
  '90d',
  '999999w',
  '2040-03-20',
  '1000-01-01',
  '9999-12-31',
  '2040-03-20T10:00+02:00',
  'x',
  'Bob',
  'https://paper.example/a',
  'https://paper.example/%',
  'http://[::1]/',
  "'",
  '"',
  '\\',
  '\\x00',
  '\0',
  '{p0:String}',
  '); DROP TABLE events; --',
  '🎈',
  '\u2028',
  '\ud800',
  'authors:"Bob"',
  'a'.repeat(3000),
  'show',
  'alert(1)',
  'website',
  'amp',
  'linear',
  'subscription',
  'post',
  'google.com',
  '..',
  '%00',
  '%zz',
];

export const value = fc.oneof(
  { arbitrary: fc.constantFrom(...VALUES), weight: 5 },
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** One part of a path, before it is encoded. */
export const segment = fc.oneof(
  { arbitrary: fc.constantFrom(...VALUES.filter((text) => text.length < 100)), weight: 3 },
  fc.string({ unit: 'binary' }),
);

/** Half a surrogate pair cannot be encoded; senders who try send U+FFFD. */
export function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
