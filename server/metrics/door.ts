// GET /metrics. The names of sites are private: it answers requests with the token, or, where none is set, those
// from this machine that came through no proxy. For all others there is no such page.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { hashSecret, verifySecret } from '../sites/secrets.ts';
import type { Metrics } from './metrics.ts';

export interface MetricsDoorOptions {
  metrics: Pick<Metrics, 'read'>;
  log: Logger;
  /** Expected as `Authorization: Bearer <token>`. */
  token: string | undefined;
  /** With proxies in front every connection comes from this machine or the next one, so that proves nothing. */
  trustedProxies: number;
}

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/** @returns The same listener, with this path answered before it. */
export function withMetricsDoor(listener: RequestListener, options: MetricsDoorOptions): RequestListener {
  const allowed = createGuard(options);
  const { metrics, log } = options;
  return (request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') return listener(request, response);
    if (request.method === 'GET' && allowed(request)) answer(metrics, response).catch(failed(log, response));
    else response.writeHead(404, { 'Cache-Control': 'no-store' }).end();
  };
}

function createGuard({ token, trustedProxies }: MetricsDoorOptions): (request: IncomingMessage) => boolean {
  if (token !== undefined) {
    const hash = hashSecret(token);
    return ({ headers }) => verifySecret(/^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1], hash);
  }
  if (trustedProxies > 0) return () => false;
  return ({ headers, socket }) =>
    LOOPBACK.test(socket.remoteAddress ?? '') && !FORWARDED.some((name) => headers[name] !== undefined);
}

async function answer(metrics: Pick<Metrics, 'read'>, response: ServerResponse): Promise<void> {
  const { text, type } = await metrics.read();
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
}

/** Watching must never be what ends a server. */
const failed = (log: Logger, response: ServerResponse) => (err: unknown) => {
  log.error({ err }, 'metrics could not be read');
  response.writeHead(500, { 'Cache-Control': 'no-store' }).end();
};
