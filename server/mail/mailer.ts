// Hands mails to the SMTP server.
import { MINUTE } from '../durations.ts';
import { messageOf } from '../errors.ts';
import type { Mail } from './mail.ts';
import { isThisMachine, type SmtpServer } from './smtpServer.ts';

/** Why a mail was not taken. */
export interface MailRefusal {
  /** Without anything of the credentials. */
  why: string;
  /** The server refuses this mail or this address for good. */
  isFinal: boolean;
  /** The server was given all of it and did not answer: it may have taken it. */
  isUnknown: boolean;
}

export interface Mailer {
  /** @returns undefined where the server has taken it. Rejects never. */
  send(mail: Mail): Promise<MailRefusal | undefined>;
  /** Whether the server did not answer, or refused more than an address, within the last minute: nothing is sent. */
  isResting(): boolean;
}

export interface MailerOptions {
  server: SmtpServer;
  from: { name: string; address: string };
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds. Default: `now`. */
  clock?: (() => number) | undefined;
}

const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };
const REST_MS = MINUTE;
const MAX_WHY = 300;

export function createMailer({ server, from, now, clock = now }: MailerOptions): Mailer {
  let restsUntil = Number.NEGATIVE_INFINITY;

  return {
    async send(mail) {
      let isHandedOver = false;
      try {
        const transport = await openTransport(server, () => {
          isHandedOver = true;
        });
        const { text, html, subject, headers, messageId, to } = mail;
        await transport.sendMail({
          ...{ from, subject, text, html, headers, messageId },
          to: { name: '', address: to },
          date: new Date(now()),
          // Texts of pages are in it: nothing in them may name a file or an address to be fetched.
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        restsUntil = Number.NEGATIVE_INFINITY;
        return undefined;
      } catch (error) {
        const isFinal = isOfMail(error);
        if (!isFinal && !isOfAddress(error)) restsUntil = clock() + REST_MS;
        const isUnknown = isHandedOver && (error as SmtpError).responseCode === undefined;
        return { why: reasonOf(error, server), isFinal, isUnknown };
      }
    },
    isResting: () => clock() < restsUntil,
  };
}

/** @param onHandedOver Called when the mail is written to its end, which asks the server whether it takes it. */
async function openTransport(server: SmtpServer, onHandedOver: () => void) {
  // Loaded with the first mail: most servers send none.
  const { createTransport } = await import('nodemailer');
  const local = isThisMachine(server);
  const transport = createTransport({
    ...server,
    ...PATIENCE,
    // Credentials never travel unencrypted.
    requireTLS: !server.secure && !local && server.auth !== undefined,
    ignoreTLS: !server.secure && local,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', ({ message }, done) => {
    message.processFunc((text) => text.once('end', onHandedOver));
    done();
  });
  return transport;
}

interface SmtpError extends Error {
  code?: string;
  /** What was said to the server. */
  command?: string;
  responseCode?: number;
}

/** The server closes. Source: RFC 5321, 3.8. */
const CLOSES = 421;
/** The mail is too large: it is said of its sender already where its size is. Source: RFC 1870, 6. */
const TOO_LARGE = 552;

/**
 * 5xx to an address or to the content: the same mail would be refused again. The sender is the same in every mail, and
 * may be refused for a setting of this server.
 */
function isOfMail(error: unknown): boolean {
  const { code, command, responseCode = 0 } = error as SmtpError;
  if (command === 'MAIL FROM' && responseCode !== TOO_LARGE) return false;
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500;
}

/** An answer to the address: others may be taken now. */
function isOfAddress(error: unknown): boolean {
  const { command, responseCode = CLOSES } = error as SmtpError;
  return command === 'RCPT TO' && responseCode !== CLOSES;
}

/** What the server said, on one line, without the credentials, which it may have repeated. */
function reasonOf(error: unknown, { auth }: SmtpServer): string {
  const message = messageOf(error);
  const secrets = auth === undefined ? [] : [auth.pass, `\0${auth.user}\0${auth.pass}`].flatMap(codings);
  const masked = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message);
  return masked.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, MAX_WHY);
}

/** As SMTP has them. A password is never empty. */
const codings = (text: string): string[] => [text, Buffer.from(text).toString('base64')];
