// Counts of connections, kept where they are bounded and read when the metrics are.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ConnectionCounts } from '../http/connections.ts';

export function watchConnections(registry: Registry, counts: () => ConnectionCounts): void {
  new Gauge({
    name: 'afterword_http_connections',
    help: 'Connections that are open.',
    registers: [registry],
    collect() {
      this.set(counts().open);
    },
  });
  new Counter({
    name: 'afterword_http_connections_closed_total',
    help:
      'Connections the server closed by a bound. network, total: refused, because too many of one network, or of all, were ' +
      'busy; idle: closed for a new one; unread: the answer was not read.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      const { refused, displaced, unread } = counts();
      for (const [reason, count] of Object.entries({ ...refused, idle: displaced, unread }))
        this.inc({ reason }, count);
    },
  });
}
