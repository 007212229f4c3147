// Events as an earlier version stored them: without the columns that came later.
import type { EventRow } from '../../server/ingest/eventRow.ts';
import type { Engine } from '../../server/storage/engine.ts';

const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** @param without Fields of a row that the tables do not have yet. */
export async function insertEarlier(
  engine: Engine,
  events: readonly EventRow[],
  without: readonly (keyof EventRow)[],
): Promise<void> {
  const rows = events.map(({ key: _, ...event }) =>
    Object.fromEntries(
      Object.entries(event).flatMap(([name, value]) =>
        without.some((missing) => missing === name) ? [] : [[toSnake(name), value]],
      ),
    ),
  );
  await engine.insert('events', rows);
}

/** Categories that came with hosts. */
export const asEarlier = (event: EventRow): EventRow =>
  event.referrerType === 'ai' || event.referrerType === 'aggregator' ? { ...event, referrerType: 'other' } : event;
