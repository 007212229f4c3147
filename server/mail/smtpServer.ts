// The SMTP server that takes mails, as its URL names it.
import { parseUrl } from '../posts/parseUrl.ts';

export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte. Else STARTTLS, where the server offers it. */
  secure: boolean;
  auth?: { user: string; pass: string };
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

/** @returns undefined for what is no smtp or smtps URL, has a path or a query, or a user without a password. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = parseUrl(text.trim());
  if (url === undefined || !(url.protocol in PORTS)) return undefined;
  const rest = `${url.pathname === '/' ? '' : url.pathname}${url.search}${url.hash}`;
  if (url.hostname === '' || rest !== '' || (url.username === '') !== (url.password === '')) return undefined;
  const auth = authOf(url);
  if (auth === 'malformed') return undefined;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? PORTS[url.protocol as keyof typeof PORTS] : Number(url.port),
    secure: url.protocol === 'smtps:',
    ...(auth && { auth }),
  };
}

function authOf({ username, password }: URL): SmtpServer['auth'] | 'malformed' {
  if (username === '') return undefined;
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return 'malformed';
  }
}

/** Mails to this machine do not leave it, so they travel without TLS, which has a certificate of its own there. */
export const isThisMachine = ({ host }: SmtpServer): boolean => /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host);
