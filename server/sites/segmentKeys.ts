// Keys of an event's `data` whose values a site takes as names of segments: `plan` of {"plan": "basic"} puts the reader
// into `basic`.

/** Keys a site may map. */
export const MAX_SEGMENT_KEYS = 10;
const MAX_KEY = 64;

/** Keys that trackers and this server use for something else; so is every key that begins with an underscore. */
const RESERVED: ReadonlySet<string> = new Set([
  'segments',
  'channel',
  'network',
  'opted_out',
  'parsely_site_uuid',
  'parsely_uuid',
  'ts',
]);

/**
 * @returns The key without blanks around it; undefined when it is empty, longer than 64 characters, or has a meaning of
 * its own.
 */
export function parseSegmentKey(text: string): string | undefined {
  const key = text.trim();
  const isName = key !== '' && key.length <= MAX_KEY && !/[\p{Cc}\p{Surrogate}]/u.test(key);
  return isName && !key.startsWith('_') && !RESERVED.has(key) ? key : undefined;
}
