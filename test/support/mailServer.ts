// An SMTP server on a port of its own, which keeps what it takes, and can refuse.
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface TakenMail {
  /** Of the envelope. */
  to: string[];
  from: string;
  /** Header lines, unfolded, by their names in lower case. */
  headers: Map<string, string[]>;
  /** With line ends as here. */
  text: string;
  html: string;
  /** As it came. */
  raw: string;
}

/** Answers the next steps with a code and a text; undefined: they are taken. */
interface Refusals {
  sender?: Refusal | undefined;
  recipient?: Refusal | undefined;
  data?: Refusal | undefined;
  login?: Refusal | undefined;
  /** The recipient that is refused. Default: each. */
  address?: string;
}
type Refusal = readonly [code: number, text: string];

export interface MailServer {
  port: number;
  /** In order. */
  taken: TakenMail[];
  /** User and password of each login. */
  logins: string[];
  refuse: Refusals;
  /** Whether it says that it has taken a mail. Else it hangs up then. Default: it does. */
  answers: boolean;
  close(): Promise<void>;
}

const errorOf = ([responseCode, text]: Refusal): Error => Object.assign(new Error(text), { responseCode });

export async function openMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _, done) {
      opened.logins.push(`${username}:${password}`);
      const { login } = opened.refuse;
      done(login && errorOf(login), login ? undefined : { user: username });
    },
    onMailFrom(_, __, done) {
      const { sender } = opened.refuse;
      done(sender && errorOf(sender));
    },
    onRcptTo({ address }, _, done) {
      const { recipient, address: refused = address } = opened.refuse;
      done(recipient && refused === address ? errorOf(recipient) : undefined);
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { data } = opened.refuse;
        if (data) return done(errorOf(data));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        opened.taken.push({ from, to, ...parseMail(Buffer.concat(chunks).toString('latin1')) });
        if (opened.answers) return done();
        for (const socket of sockets) socket.destroy();
      });
    },
  });
  server.on('error', () => undefined);
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  const opened: MailServer = {
    port: 0,
    taken: [],
    logins: [],
    refuse: {},
    answers: true,
    close: () => new Promise((done) => server.close(() => done())),
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  opened.port = (server.server.address() as AddressInfo).port;
  return opened;
}

function parseMail(raw: string): Pick<TakenMail, 'headers' | 'text' | 'html' | 'raw'> {
  const { headers, body } = splitPart(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '')?.[1];
  const parts =
    boundary === undefined
      ? []
      : body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => splitPart(part.trimStart()));
  const of = (type: string): string => {
    const part = parts.find((one) => one.headers.get('content-type')?.[0]?.startsWith(type));
    return part === undefined ? '' : decode(part.body, part.headers.get('content-transfer-encoding')?.[0] ?? '');
  };
  return { headers, text: of('text/plain').replaceAll('\r\n', '\n'), html: of('text/html'), raw };
}

function splitPart(part: string): { headers: Map<string, string[]>; body: string } {
  const end = part.indexOf('\r\n\r\n');
  const headers = new Map<string, string[]>();
  for (const line of part
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), decodeWords(line.slice(colon + 1).trim())]);
  }
  return { headers, body: part.slice(end + 4) };
}

/** Source: RFC 2047. */
const decodeWords = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, how: string, text: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : decode(text.replaceAll('_', ' '), 'quoted-printable'),
    );

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString();
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
