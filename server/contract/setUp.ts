// What /analytics/setup answers, as types and the minutes that its counts are of. Imports nothing.

/** Counts are of so many minutes, the one that has begun included. */
export const SETUP_MINUTES = 30;

/** `lists`: reports of lists that were shown, seen or clicked. In the order of the answer. */
export const EVENT_KINDS = ['views', 'heartbeats', 'lists', 'other'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export interface SetUpEvents {
  kind: EventKind;
  count: number;
  /** Of each minute, the last one not over. */
  course: number[];
  /** The newest of them within two days; null: there is none. `time` is ISO 8601, UTC. */
  last: { time: string; url: string } | null;
}

/** Reasons why an event was not stored that need no change. */
export const HARMLESS_DROPS: readonly string[] = ['bot', 'duplicate', 'opted-out'];

export interface SetUpDrops {
  /** Why they were not stored. */
  reason: string;
  count: number;
  course: number[];
  /** Host of the newest page of them, where the reason is `foreign-host`; else null. */
  host: string | null;
}

export interface SetUpRecord {
  /** ISO 8601, UTC; the end is left out. */
  period_start: string;
  period_end: string;
  events: SetUpEvents[];
  /** Counted by the copy of the server that answers; the most frequent reason first. */
  drops: SetUpDrops[];
  /** Several copies of the server may share the database: each counts its own drops. */
  shared: boolean;
}
