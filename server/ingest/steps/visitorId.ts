// The visitor id: a hash of 48 bits, from which neither an id nor an address can be computed.
import { hash } from 'node:crypto';
import { isRecord } from '../../isRecord.ts';
import { parseJson } from '../../posts/parseJson.ts';
import { text } from '../parseEvent.ts';

export interface VisitorSigns {
  /** `data.parsely_site_uuid`. */
  siteUuid?: string;
  /** `u`; `OPTOUT`: the visitor is not to be identified. */
  u?: string;
  /** As AMP sends it: its own id, or the value of the tracker's cookie on pages of the publisher's hosts. */
  ampid?: string;
  /** "" where it must not be used. */
  ip: string;
  userAgent: string;
}

/** Of a visitor that is not to be identified. */
export const UNIDENTIFIED = '0';

/**
 * Advertising id on Android of everyone who has deleted it, and in apps that may not read it. The vendor's SDK sends it
 * like any other: the readers of an app would be one.
 */
const NO_ADVERTISING_ID = '00000000-0000-0000-0000-000000000000';

/** Sent in place of the id of a visitor who is not to be identified. */
const OPTED_OUT = 'OPTOUT';

/** Whether an id is that of all who have none of their own. */
export const isSharedId = (id: string): boolean => id === OPTED_OUT || id === NO_ADVERTISING_ID;

const usable = (id: string | undefined): string | undefined => (id === NO_ADVERTISING_ID ? undefined : id);

/**
 * The tracker's cookie is JSON: the id of its reader beside a count of sessions, which is another in each of them. So a
 * reader is the same on AMP pages and on all others.
 */
function idOfAmp(ampid: string | undefined): string | undefined {
  if (ampid?.[0] !== '{') return ampid;
  const cookie = parseJson(ampid);
  return isRecord(cookie) ? (text(cookie.id) ?? ampid) : ampid;
}

export class VisitorIds {
  /** The events of a batch mostly have the same visitor. */
  #last = { identity: '', id: UNIDENTIFIED };

  /**
   * @param site Ids are hashed with it: the same id on two sites is two visitors.
   * @param salt Of the day; only for visitors without an id. Without it, the address of a hash could be found by trying
   *   all.
   * @returns Decimal text of 48 bits, by which of ten million visitors two are one in one case of five; "0" for none.
   */
  of(site: string, signs: VisitorSigns, salt: string): string {
    if (signs.u === OPTED_OUT || signs.siteUuid === OPTED_OUT) return UNIDENTIFIED;
    const id = usable(signs.siteUuid) || usable(signs.u) || usable(idOfAmp(signs.ampid));
    if (!id && signs.ip === '') return UNIDENTIFIED;
    const identity = id ? `${site}\n${id}` : `${site}\n${salt}\n${signs.ip}\n${signs.userAgent}`;
    if (identity !== this.#last.identity) this.#last = { identity, id: hash48(identity) };
    return this.#last.id;
  }
}

/** Bytes that are random do not compress: a visitor takes six in each event. */
function hash48(text: string): string {
  const digest = hash('sha256', text, 'binary');
  let bits = 0;
  for (let at = 0; at < 6; at++) bits = bits * 256 + digest.charCodeAt(at);
  return String(bits || 1);
}

/** The first 64 bits of SHA-256, as decimal text: the engine's UInt64. Never "0", which stands for none. */
export function hash64(text: string): string {
  const digest = hash('sha256', text, 'binary');
  // The fastest way to read 64 bits.
  for (let at = 0; at < digits.length; at++) digits[at] = digest.charCodeAt(at);
  const bits = view.getBigUint64(0);
  return bits === 0n ? '1' : String(bits);
}

const digits = new Uint8Array(8);
const view = new DataView(digits.buffer);
