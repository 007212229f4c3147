// The page's own object, `PARSELY`: what an older installation keeps in it, and the functions of the page it has.
import type { ConsentSettings } from './consent.ts';
import type { NamedDetails } from './details.ts';
import type { ViewSettings } from './views.ts';

export interface Parsely extends ConsentSettings, ViewSettings {
  apikey?: string;
  config?: Record<string, unknown>;
  loaded?: boolean;
  lastRequest?: NamedDetails;
  onload?(): void;
  onReady?(): void;
  onStart?: unknown;
  /** Arguments of calls that the page made before the script was here. */
  _stubs?: { onStart?: ArrayLike<ArrayLike<unknown> | undefined> };
  onBeacon?(event: NamedDetails): void;
  onHeartbeat?(seconds: number): void;
}

export const HEARTBEATS = ['heartbeat', 'vheartbeat'];

/**
 * Calls the page's functions for an event, in tasks of their own: what they throw is the page's.
 */
export function notify(parsely: Parsely, event: NamedDetails): void {
  const shown = { ...event };
  if (HEARTBEATS.includes(event.action!)) {
    if (event.action === 'heartbeat') setTimeout(() => call(parsely, 'onHeartbeat', event.inc));
  } else parsely.lastRequest = shown;
  setTimeout(() => call(parsely, 'onBeacon', shown));
}

/** Calls a function of the page, where it is one. */
export function call(parsely: Parsely, name: keyof Parsely, ...given: unknown[]): void {
  const found: unknown = parsely[name];
  if (typeof found === 'function') found.apply(parsely, given);
}
