// Takes what is sent to a webhook, on a port of its own.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Arrived {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  origin: string;
  /** In order. */
  arrived: Arrived[];
  /** What the next requests are answered with, and what they wait for. Default: nothing. */
  answer: { status: number; headers: Record<string, string>; after?: Promise<unknown> };
  close(): void;
}

export async function openReceiver(): Promise<WebhookReceiver> {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      arrived.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
      const { status, headers, after } = receiver.answer;
      void Promise.resolve(after).then(() => response.writeHead(status, headers).end('taken'));
    });
  });
  const receiver: WebhookReceiver = {
    origin: '',
    arrived,
    answer: { status: 204, headers: {} },
    close: () => void server.close(),
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  receiver.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}

/** What the signature of a message has to be. */
export function signatureOf({ headers, body }: Arrived, secret: string): string {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
