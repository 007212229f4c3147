// The page that the view of a reader named in its metadata, for what the reader does at that address afterwards:
// heartbeats of the AMP component and of apps name no page. Kept by reader, so that no sender moves events of others.
import { LRUCache } from 'lru-cache';
import { INGEST_LIMITS } from '../limits.ts';
import { UNIDENTIFIED } from './visitorId.ts';

export class DeclaredPages {
  /** Created on first use: it allocates all of its places at once, and most sites declare none. */
  #pages: LRUCache<string, string> | undefined;

  /** A view says which page it is of; one that names none is of its own address. */
  remember(visitor: string, address: string, declared: string | undefined): void {
    if (visitor === UNIDENTIFIED) return;
    if (declared === undefined || declared === address) {
      this.#pages?.delete(keyOf(visitor, address));
      return;
    }
    this.#pages ??= new LRUCache<string, string>({ max: INGEST_LIMITS.declaredPages });
    this.#pages.set(keyOf(visitor, address), declared);
  }

  /** @returns undefined where the reader's last view of the address named no other page. */
  of(visitor: string, address: string): string | undefined {
    return visitor === UNIDENTIFIED ? undefined : this.#pages?.get(keyOf(visitor, address));
  }
}

/** Visitors are hashed with their site. */
const keyOf = (visitor: string, address: string): string => `${visitor} ${address}`;
