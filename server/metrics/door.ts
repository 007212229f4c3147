// GET /metrics. The names of sites are private: it answers requests with the token, or, where none is set, those
// from this machine that came through no proxy. For all others there is no such page.
import type { RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { ProcessGuard } from '../http/processRoutes.ts';
import { hashSecret, verifySecret } from '../sites/secrets.ts';
import type { Metrics } from './metrics.ts';

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/** Admits requests of the operator. */
export const operator: ProcessGuard = ({ token, trustedProxies }) => {
  if (token !== undefined) {
    const hash = hashSecret(token);
    return ({ headers }) => verifySecret(/^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1], hash);
  }
  if (trustedProxies > 0) return () => false;
  return ({ headers, socket }) =>
    LOOPBACK.test(socket.remoteAddress ?? '') && !FORWARDED.some((name) => headers[name] !== undefined);
};

/** Answers with all metrics. An error is logged and answered: reading metrics must never end a server. */
export const answerMetrics =
  (metrics: Pick<Metrics, 'read'>, log: Logger): RequestListener =>
  (_, response) => {
    answer(metrics, response).catch((err: unknown) => {
      log.error({ err }, 'metrics could not be read');
      response.writeHead(500, { 'Cache-Control': 'no-store' }).end();
    });
  };

async function answer(metrics: Pick<Metrics, 'read'>, response: ServerResponse): Promise<void> {
  const { text, type } = await metrics.read();
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
}
