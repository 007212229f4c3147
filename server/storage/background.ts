// Loads and periodic jobs ask the engine behind readers.
import type { Engine } from './engine.ts';

/** The same engine, whose questions go behind those of readers. */
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
