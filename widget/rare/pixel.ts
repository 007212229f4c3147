// Reports by pictures: for pages whose policy forbids connections. Nobody hears whether they arrive.
import type { IncomingEvent } from '../../server/contract/wire.ts';

/** One request for each event, its fields as parameters, what is no text as JSON. */
export function sendPixels(door: string, events: IncomingEvent[]): void {
  for (const event of events) {
    const fields = Object.entries(event).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : value,
    ]);
    new Image().src = `${door}?${new URLSearchParams(fields)}`;
  }
}
