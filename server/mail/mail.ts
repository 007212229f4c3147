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

/** One line of bounded length: titles and names come from outside, and a line break would begin another header. */
export function oneLine(text: string, max = MAX_SUBJECT): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...line].length <= max ? line : `${[...line].slice(0, max - 1).join('')}…`;
}
