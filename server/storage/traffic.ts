// Runs the queries that traffic/ compiles.
import type { Engine } from './engine.ts';
import type { TrafficStore } from './store.ts';

export function createTrafficStore(engine: Engine): TrafficStore {
  return { run: (query) => engine.rows(query.sql, query.params) };
}
