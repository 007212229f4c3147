// Who looked: a 64-bit number that cannot be turned back into a person.
import { hash } from 'node:crypto';

export interface VisitorSigns {
  /** `data.parsely_site_uuid`. */
  siteUuid?: string;
  /** `u`; `OPTOUT` means that nobody is to be told apart. */
  u?: string;
  ampid?: string;
  /** "" where it must not be used. */
  ip: string;
  userAgent: string;
}

/** Of a visitor who is not to be told apart. */
export const NOBODY = '0';

/**
 * @param site Ids are hashed with it: the same id on two sites is two visitors.
 * @param salt Of the day; only for visitors who bring no id. Without it the hash of an address could be found by trying all of them.
 * @returns Decimal text of 64 bits; "0" for nobody.
 */
export function visitorId(site: string, signs: VisitorSigns, salt: string): string {
  if (signs.u === 'OPTOUT' || signs.siteUuid === 'OPTOUT') return NOBODY;
  const id = signs.siteUuid || signs.u || signs.ampid;
  if (id) return hash64(`${site}\n${id}`);
  if (signs.ip === '') return NOBODY;
  return hash64(`${site}\n${salt}\n${signs.ip}\n${signs.userAgent}`);
}

/** The first 64 bits of SHA-256, as decimal text: the engine's UInt64. Never "0", which means nobody. */
export function hash64(text: string): string {
  // The events of a batch are mostly of one visitor.
  if (text === last.text) return last.bits;
  const digest = hash('sha256', text, 'binary');
  // Of the ways to read it, by far the quickest.
  for (let at = 0; at < digits.length; at++) digits[at] = digest.charCodeAt(at);
  const bits = view.getBigUint64(0);
  last = { text, bits: bits === 0n ? '1' : String(bits) };
  return last.bits;
}

const digits = new Uint8Array(8);
const view = new DataView(digits.buffer);
let last: { text: string | undefined; bits: string } = { text: undefined, bits: '' };
