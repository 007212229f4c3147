// One request at a time per host, with a pause after each.

export interface HostSlots {
  /** Takes a host when it is free and its pause is over. */
  take(host: string, now: number): boolean;
  /** Releases a host. @param pause Milliseconds until the next request. */
  release(host: string, times: { now: number; pause: number }): void;
}

/** Hosts with a pause in memory; beyond this many, those whose pause is over are removed. */
const MAX_HOSTS = 10_000;

export function createHostSlots(): HostSlots {
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
