// Bytes of a page to text, in the encoding a browser would take: byte-order mark, header, meta tag, in that order.
import { decodeBuffer, getEncoding } from 'encoding-sniffer';

/** Encoding label in a `Content-Type` header. */
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i;

/**
 * @param contentType Header of the answer, "" when it sent none.
 * @returns Text; where nobody names an encoding it is UTF-8 when the bytes are, else windows-1252.
 */
export function decodePage(bytes: Buffer, contentType: string): { html: string; encoding: string } {
  const options = {
    transportLayerEncodingLabel: CHARSET.exec(contentType)?.[1],
    defaultEncoding: isUtf8(bytes) ? 'utf-8' : 'windows-1252',
  };
  return { html: decodeBuffer(bytes, options), encoding: getEncoding(bytes, options).toLowerCase() };
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
