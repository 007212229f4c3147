// An engine for loads and periodic jobs.
import type { Engine } from './engine.ts';

/** The same engine; its queries wait behind those of readers. */
export const inBackground = (engine: Engine): Engine => ({
  ...engine,
  get cluster() {
    return engine.cluster;
  },
  get servers() {
    return engine.servers;
  },
  rows: (sql, params, how) => engine.rows(sql, params, { background: true, ...how }),
});
