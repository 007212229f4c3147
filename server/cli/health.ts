// GET /healthz: this process lives. GET /readyz: it can serve, or what keeps it from serving.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Asked at most this often, however many ask. */
const KEEP_MS = 1_000;
/** A database that has not answered by then is not ready. */
const PATIENCE_MS = 3_000;

export interface Health {
  /** Answers the two health paths. @returns false for every other path. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** What the process is doing; only `ready` may be served. */
  enter(state: 'starting' | 'ready' | 'draining'): void;
}

export interface HealthChecks {
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  now(): number;
}

export function createHealth({ ping, now }: HealthChecks): Health {
  let state: 'starting' | 'ready' | 'draining' = 'starting';
  let known: { until: number; problems: Promise<string[]> } = { until: 0, problems: Promise.resolve([]) };

  async function problems(): Promise<string[]> {
    if (state === 'starting') return ['The server is starting.'];
    if (state === 'draining') return ['The server is stopping.'];
    if (now() >= known.until) known = { until: now() + KEEP_MS, problems: pingProblems(ping) };
    return known.problems;
  }

  return {
    answer(request, response) {
      const path = request.url?.split('?')[0];
      if (path === '/healthz') {
        send(response, 200, { alive: true });
        return true;
      }
      if (path !== '/readyz') return false;
      void problems().then((found) =>
        send(response, found.length === 0 ? 200 : 503, { ready: found.length === 0, problems: found }),
      );
      return true;
    },
    enter(next) {
      state = next;
    },
  };
}

async function pingProblems(ping: () => Promise<void>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string[]>((done) => {
    timer = setTimeout(() => done(['The database does not answer in time.']), PATIENCE_MS);
  });
  const asked = ping().then(
    () => [],
    () => ['The database does not answer.'],
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
