// Bytes of a page to text, in the encoding a browser would take: byte-order mark, header, meta tag, in that order.
import { decodeBuffer, getEncoding } from 'encoding-sniffer';

/** Encoding label in a `Content-Type` header. */
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i;

/** What the WHATWG calls the encodings that browsers refuse, such as ISO-2022-KR and HZ-GB-2312. */
const REFUSED = 'replacement';

/**
 * @param contentType Header of the answer, "" when it sent none.
 * @returns Text; where no encoding is named it is UTF-8 when the bytes are, else windows-1252. Where browsers refuse
 * the encoding, one U+FFFD, which is all that they show of the page.
 */
export function decodePage(bytes: Buffer, contentType: string): { html: string; encoding: string } {
  const options = optionsOf(bytes, contentType);
  const encoding = getEncoding(bytes, options).toLowerCase();
  return { html: encoding === REFUSED ? '\ufffd' : decodeBuffer(bytes, options), encoding };
}

/**
 * The encoding `decodePage` would take; of XML the one that its declaration names, where neither mark nor header names
 * one.
 */
export function encodingOf(bytes: Buffer, contentType: string): string {
  return getEncoding(bytes, optionsOf(bytes, contentType)).toLowerCase();
}

function optionsOf(bytes: Buffer, contentType: string) {
  return {
    transportLayerEncodingLabel: CHARSET.exec(contentType)?.[1],
    defaultEncoding: isUtf8(bytes) ? 'utf-8' : 'windows-1252',
  };
}

/** A character cut off at the end is no error: long pages are read up to a bound. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
