// A mail before it is handed to the SMTP server.
export interface Mail {
  /** Address of the recipient. */
  to: string;
  /** The same at each attempt, so that a mailbox shows one that came twice once. */
  messageId: string;
  subject: string;
  text: string;
  html: string;
  headers: Readonly<Record<string, string>>;
}

const MAX_SUBJECT = 180;

/**
 * Signs that are not seen, such as soft hyphens: the word around one is whole. Joiners, which letters and emoji are
 * written with, and marks of direction stay.
 */
const UNSEEN = /(?![\u061c\u200c-\u200f])\p{Cf}/gu;
const BLANKS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;

/** One line of bounded length: titles and names come from outside, and a line break would begin another header. */
export function oneLine(text: string, max = MAX_SUBJECT): string {
  const line = text.replaceAll(UNSEEN, '').replaceAll(BLANKS, ' ').trim();
  return [...line].length <= max ? line : `${[...line].slice(0, max - 1).join('')}…`;
}
