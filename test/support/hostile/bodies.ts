// Bodies that are dear to parse, at every door that reads one.
import { chinese, type HostileBody, repeated, type Target } from './hostileBody.ts';

const KIB = 1024;

/** A body of so many bytes at most. */
type Shape = (bytes: number) => string | Uint8Array<ArrayBuffer>;

const list =
  (item: string): Shape =>
  (bytes) =>
    `[${repeated(`${item},`, bytes - item.length - 2)}${item}]`;
/** Members that differ by their number. */
const object =
  (name: (at: number) => string, member: number): Shape =>
  (bytes) =>
    `{${Array.from({ length: Math.floor(bytes / member) }, (_, at) => `"${name(at)}":0`).join(',')}}`;
const text =
  (pattern: string): Shape =>
  (bytes) =>
    `"${repeated(pattern, bytes - 2)}"`;
const over =
  (pattern: string): Shape =>
  (bytes) =>
    repeated(pattern, bytes);
const filled =
  (byte: number): Shape =>
  (bytes) =>
    new Uint8Array(bytes).fill(byte);
const base36 = (at: number) => at.toString(36).padStart(5, '0');

/** What a JSON value can be made of. */
const values: Record<string, Shape> = {
  'lists in lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'objects in objects': (bytes) => `${repeated('{"a":', bytes / 2)}0${'}'.repeat(Math.floor(bytes / 12))}`,
  'names that are numbers': object(String, 13),
  'names that differ': object(base36, 10),
  'names that repeat': object(() => 'a', 6),
  'long names that differ': object((at) => 'x'.repeat(900) + base36(at), 910),
  'escaped names that differ': object((at) => `\\u0061${base36(at)}`, 16),
  'objects of one name each': (bytes) =>
    `[${Array.from({ length: Math.floor(bytes / 12) }, (_, at) => `{"${base36(at)}":0}`).join(',')}]`,
  'names of prototypes': object((at) => ['__proto__', 'constructor', 'toString', 'hasOwnProperty'][at % 4]!, 20),
  'prototypes of prototypes': (bytes) => `${repeated('{"__proto__":', bytes / 2)}0`,
  zeros: list('0'),
  'empty objects': list('{}'),
  'empty lists': list('[]'),
  'empty texts': list('""'),
  nulls: list('null'),
  'large numbers': list('1e308'),
  'numbers of 300 digits': list('9'.repeat(300)),
  'fractions of 300 digits': list(`0.${'9'.repeat(300)}e-300`),
  'one number': over('1'),
  'one fraction': (bytes) => `0.${'1'.repeat(bytes - 2)}`,
  'one text': text('x'),
  'escaped letters': text('\\u0061'),
  'escaped halves of letters': text('\\ud800'),
  'escaped NULs': text('\\u0000'),
  'escaped quotes': text('\\"'),
  'escaped backslashes': text('\\\\'),
  'Chinese letters': (bytes) => `"${chinese(Math.floor(bytes / 3) - 2)}"`,
  'combining marks': (bytes) => `"${'a\u0323\u0301'.repeat(Math.floor(bytes / 5) - 1)}"`,
  emoji: (bytes) => `"${'👩‍👩‍👧‍👦'.repeat(Math.floor(bytes / 25) - 1)}"`,
};

/** What is no JSON. */
const junk: Record<string, Shape> = {
  'opening brackets': over('['),
  'opening braces': over('{"a":'),
  'closing brackets': over(']'),
  commas: over(','),
  colons: over(':'),
  quotes: over('"'),
  backslashes: over('\\'),
  spaces: over(' '),
  'line ends': over('\r\n'),
  NULs: filled(0),
  'bytes that are no UTF-8': filled(0xff),
  'beginnings of letters in UTF-8': filled(0xe4),
  'a byte order mark before JSON': (bytes) => `\ufeff{"a":"${'x'.repeat(bytes - 20)}"}`,
  'JSON in UTF-16': (bytes) => new Uint8Array(Buffer.from(`{"a":"${'x'.repeat(bytes / 2 - 20)}"}`, 'utf16le')),
  'a form of many fields': over('a=1&'),
  'a form of ampersands': over('&'),
  'a form of percent signs': (bytes) => `rqs=${'%'.repeat(bytes - 4)}`,
  'a form of escaped percent signs': (bytes) => `rqs=${repeated('%25', bytes - 4)}`,
  'a form of escaped JSON': (bytes) => `rqs=${repeated('%5B', bytes - 4)}`,
  'a form with many requests': over('rqs={}&'),
  multipart: over('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'),
};

type Door = Pick<HostileBody, 'path' | 'headers' | 'needsSecret' | 'status'> & { bytes: number };

/** Forbidden, or no JSON of the kind that is read. */
const REFUSED = [403, 422];

const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Room below a bound for what stands around a value. */
const ROOM = KIB;

const rows = (
  door: Door,
  shapes: Record<string, Shape>,
  around: (value: string, target: Target) => string = (v) => v,
) =>
  Object.entries(shapes).map(
    ([name, shape]): HostileBody => ({
      name: `${Math.round(door.bytes / KIB)} KiB of ${name}`,
      method: 'POST',
      path: door.path,
      ...(door.headers && { headers: door.headers }),
      body: (target) => {
        const made = shape(door.bytes - ROOM);
        return typeof made === 'string' ? around(made, target) : made;
      },
      needsSecret: door.needsSecret,
      status: door.status,
    }),
  );

const events: Door = { path: '/events', bytes: 512 * KIB, needsSecret: false, status: 200 };
const apps: Door = { path: '/mobileproxy', bytes: 512 * KIB, needsSecret: false, status: 200 };
const metadata: Door = {
  path: '/v2/metadata/posts',
  headers: JSON_TYPE,
  bytes: 1024 * KIB,
  needsSecret: false,
  status: REFUSED,
};
const videos: Door = {
  path: '/v2/metadata/videos',
  headers: JSON_TYPE,
  bytes: 8192 * KIB,
  needsSecret: true,
  status: [200, 422],
};
const crawl: Door = { path: '/v2/crawl', headers: JSON_TYPE, bytes: 64 * KIB, needsSecret: false, status: REFUSED };
const partner: Door = {
  path: '/api/nobody/settings/apikeys',
  headers: JSON_TYPE,
  bytes: 64 * KIB,
  needsSecret: false,
  status: REFUSED,
};

/** One event over and over: it goes through all steps, and once it is stored the answer waits for no insert. */
const inEvent = (value: string, { site }: Target) =>
  `{"events":[{"idsite":"${site}","action":"pageview","url":"https://${site}/","eid":"1","data":${value}}]}`;
const withoutSecret = (value: string, { site }: Target) => `{"apikey":"${site}","metadata":${value}}`;
const withSecret = (value: string, { site, writeSecret, attempt }: Target) =>
  `{"apikey":"${site}","secret":"${writeSecret}","metadata":{"canonical_url":"https://${site}/${attempt}","x":${value}}}`;

export const dearBodies: readonly HostileBody[] = [
  ...rows(events, values, inEvent),
  ...rows(events, junk),
  ...rows(apps, values, inEvent),
  ...rows(apps, junk),
  ...rows(metadata, values, withoutSecret),
  ...rows(metadata, junk),
  ...rows(videos, values, withSecret),
  ...rows(crawl, { ...values, ...junk }),
  ...rows(partner, junk),
];
