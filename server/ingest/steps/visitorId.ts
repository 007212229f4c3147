// The visitor id: a 64-bit hash from which neither an id nor an address can be computed.
import { hash } from 'node:crypto';

export interface VisitorSigns {
  /** `data.parsely_site_uuid`. */
  siteUuid?: string;
  /** `u`; `OPTOUT`: the visitor is not to be identified. */
  u?: string;
  ampid?: string;
  /** "" where it must not be used. */
  ip: string;
  userAgent: string;
}

/** Of a visitor that is not to be identified. */
export const NOBODY = '0';

/**
 * @param site Ids are hashed with it: the same id on two sites is two visitors.
 * @param salt Of the day; only for visitors without an id. Without it, the address of a hash could be found by trying
 *   all.
 * @returns Decimal text of 64 bits; "0" for none.
 */
export function visitorId(site: string, signs: VisitorSigns, salt: string): string {
  if (signs.u === 'OPTOUT' || signs.siteUuid === 'OPTOUT') return NOBODY;
  const id = signs.siteUuid || signs.u || signs.ampid;
  if (id) return hash64(`${site}\n${id}`);
  if (signs.ip === '') return NOBODY;
  return hash64(`${site}\n${salt}\n${signs.ip}\n${signs.userAgent}`);
}

/** The first 64 bits of SHA-256, as decimal text: the engine's UInt64. Never "0", which stands for none. */
export function hash64(text: string): string {
  // The events of a batch mostly have the same visitor.
  if (text === last.text) return last.bits;
  const digest = hash('sha256', text, 'binary');
  // The fastest way to read 64 bits.
  for (let at = 0; at < digits.length; at++) digits[at] = digest.charCodeAt(at);
  const bits = view.getBigUint64(0);
  last = { text, bits: bits === 0n ? '1' : String(bits) };
  return last.bits;
}

const digits = new Uint8Array(8);
const view = new DataView(digits.buffer);
let last: { text: string | undefined; bits: string } = { text: undefined, bits: '' };
