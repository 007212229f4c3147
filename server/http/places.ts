// Slots for connections, bounded per network and in total. When all are taken, the connection that is idle for longest
// is displaced.

export interface Place {
  /** A request is under way: the connection is not displaced. */
  busy(): void;
  /** The connection is idle from now on. */
  idle(): void;
  /** The connection is closed. */
  free(): void;
}

export interface Places {
  /**
   * @param network Undefined where only the total is bounded.
   * @param close Closes the connection when it is displaced.
   * @returns undefined when all slots are taken by busy connections.
   */
  take(network: string | undefined, close: () => void): Place | undefined;
  /** Totals since the start. */
  counts(): { refused: { network: number; total: number }; displaced: number };
}

interface Group {
  most: number;
  taken: number;
  /** Idle connections, the one that is idle for longest first. */
  idle: Set<Taken>;
}

interface Taken {
  groups: Group[];
  close(): void;
}

export function createPlaces({ total, perNetwork }: { total: number; perNetwork: number }): Places {
  const all: Group = { most: total, taken: 0, idle: new Set() };
  const networks = new Map<string, Group>();
  const refused = { network: 0, total: 0 };
  let displaced = 0;

  const groupOf = (network: string): Group => networks.get(network) ?? { most: perNetwork, taken: 0, idle: new Set() };

  /** @returns Whether a slot is free now. */
  function makeRoom({ most, taken, idle }: Group): boolean {
    if (taken < most) return true;
    const [oldest] = idle;
    if (oldest === undefined) return false;
    displaced++;
    release(oldest);
    oldest.close();
    return true;
  }

  function release(place: Taken): void {
    for (const group of place.groups) {
      group.taken--;
      group.idle.delete(place);
    }
    place.groups = [];
  }

  return {
    take(network, close) {
      const own = network === undefined ? undefined : groupOf(network);
      if (own !== undefined && !makeRoom(own)) {
        refused.network++;
        return undefined;
      }
      if (!makeRoom(all)) {
        refused.total++;
        return undefined;
      }
      // Kept as long as a slot of it is taken: a refused connection leaves nothing.
      if (network !== undefined && own !== undefined) networks.set(network, own);
      const place: Taken = { groups: own === undefined ? [all] : [all, own], close };
      for (const group of place.groups) {
        group.taken++;
        group.idle.add(place);
      }
      return {
        busy() {
          for (const { idle } of place.groups) idle.delete(place);
        },
        idle() {
          for (const { idle } of place.groups) idle.add(place);
        },
        free() {
          release(place);
          // A displaced connection may close after others of its network have another group.
          if (network !== undefined && own?.taken === 0 && networks.get(network) === own) networks.delete(network);
        },
      };
    },
    counts: () => ({ refused: { ...refused }, displaced }),
  };
}
