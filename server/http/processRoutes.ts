// Routes answered by the process itself, with node:http, in every state: during the start, and while the database is
// unavailable.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Settings of the guards of such routes. */
interface ProcessSettings {
  /** Operator token, sent as `Authorization: Bearer <token>`. Default: an operator connects from this machine. */
  token?: string | undefined;
  /** Behind a proxy, every connection comes from this machine or a neighbouring one, so its address proves nothing. */
  trustedProxies: number;
}

export type ProcessGuard = (settings: ProcessSettings) => (request: IncomingMessage) => boolean;

export interface ProcessRoute<Path extends string = string> {
  path: Path;
  guard: ProcessGuard;
}

const READS = ['GET', 'HEAD'];

function answerReads(answer: RequestListener, request: IncomingMessage, response: ServerResponse): void {
  if (READS.includes(request.method ?? '')) answer(request, response);
  else response.writeHead(405, { Allow: READS.join(', '), 'Cache-Control': 'no-store' }).end();
}

/** Admits every request. */
export const everyone: ProcessGuard = () => () => true;

/**
 * Wraps a listener: some routes are answered before it. A request that a guard does not admit is
 * answered with 404, one that does not read with 405.
 * @param answers By path: a route without one is left to the listener.
 */
export function withProcessRoutes<Path extends string>(
  next: RequestListener,
  routes: readonly ProcessRoute<Path>[],
  answers: Partial<Record<Path, RequestListener>>,
  settings: ProcessSettings,
): RequestListener {
  const answered = new Map(
    routes.flatMap(({ path, guard }) => {
      const answer = answers[path];
      return answer ? [[path as string, { answer, admits: guard(settings) }]] : [];
    }),
  );
  return (request, response) => {
    const { url = '' } = request;
    const query = url.indexOf('?');
    const found = answered.get(query < 0 ? url : url.slice(0, query));
    if (found === undefined) next(request, response);
    else if (found.admits(request)) answerReads(found.answer, request, response);
    else response.writeHead(404, { 'Cache-Control': 'no-store' }).end();
  };
}
