// Routes that the process answers itself, by node:http, in every state it is in: while it starts, and while the
// database is away.
import type { IncomingMessage, RequestListener } from 'node:http';

/** What the guards of such routes depend on. */
interface ProcessSettings {
  /** Expected of an operator as `Authorization: Bearer <token>`. Default: an operator asks from this machine. */
  token?: string | undefined;
  /** With proxies in front every connection comes from this machine or the next one, which proves nothing. */
  trustedProxies: number;
}

export type ProcessGuard = (settings: ProcessSettings) => (request: IncomingMessage) => boolean;

export interface ProcessRoute<Path extends string = string> {
  path: Path;
  guard: ProcessGuard;
}

/** Anyone may ask. */
export const everyone: ProcessGuard = () => () => true;

/**
 * The same listener, with some routes answered before it. A request that a guard does not admit is answered with 404.
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
    else if (found.admits(request)) found.answer(request, response);
    else response.writeHead(404, { 'Cache-Control': 'no-store' }).end();
  };
}
