// Runs questions about traffic. What they say is traffic/'s work; this file only hands them to the engine.
import type { Engine } from './engine.ts';
import type { TrafficStore } from './store.ts';

export function createTrafficStore(engine: Engine): TrafficStore {
  return { run: (query) => engine.rows(query.sql, query.params) };
}
