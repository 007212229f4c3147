// Whose turn it is: one request at a time per host, with a pause after each, however many pages wait.

export interface Turns {
  /** Takes a host when it is free and its pause is over. */
  take(host: string, now: number): boolean;
  /** Gives a host back. @param pause Milliseconds until the next request. */
  release(host: string, at: { now: number; pause: number }): void;
}

/** Hosts that rest are remembered; beyond this many, those whose pause is over are forgotten. */
const MAX_HOSTS = 10_000;

export function createTurns(): Turns {
  const busy = new Set<string>();
  const rest = new Map<string, number>();
  return {
    take(host, now) {
      if (busy.has(host) || (rest.get(host) ?? 0) > now) return false;
      busy.add(host);
      return true;
    },
    release(host, { now, pause }) {
      busy.delete(host);
      if (rest.size >= MAX_HOSTS) for (const [name, until] of rest) if (until <= now) rest.delete(name);
      rest.set(host, now + pause);
    },
  };
}
