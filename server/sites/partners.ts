// Every partner in memory, in front of the table, so that a guess at a secret costs no question to the database.
import type { PartnerStore } from '../storage/partners.ts';
import { type Partner, parsePartnerName } from './partner.ts';

/** Every partner, in memory. */
export interface PartnerDirectory {
  /** Case does not matter. */
  find(name: string): Partner | undefined;
  list(): Partner[];
  add(partner: Partner): Promise<void>;
  remove(partner: Partner): Promise<void>;
}

export interface LoadedPartners extends PartnerDirectory {
  /** Reads the table again: another copy of the server may have written to it. */
  refresh(): Promise<void>;
}

/** Reads all partners once; every change is stored before it is seen. */
export async function openPartners(store: PartnerStore, now: () => number): Promise<LoadedPartners> {
  const partners = new Map<string, Partner>();
  /** Counts changes of our own, so that a list read before one of them does not undo it. */
  let changes = 0;

  async function refresh(): Promise<void> {
    const before = changes;
    const stored = await store.list();
    if (changes !== before) return;
    partners.clear();
    for (const partner of stored) partners.set(partner.name, partner);
  }

  await refresh();
  return {
    find(text) {
      const name = parsePartnerName(text);
      return name === undefined ? undefined : partners.get(name);
    },
    list: () => [...partners.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    async add(partner) {
      await store.save(partner, now());
      changes++;
      partners.set(partner.name, partner);
    },
    async remove(partner) {
      await store.remove(partner, now());
      changes++;
      partners.delete(partner.name);
    },
    refresh,
  };
}
