// The site's own IndexedDB: the reader's id, and events that were not acknowledged yet. Used with the reader's consent
// only.
import { promisifyRequest } from 'idb-keyval';
import { eventsUrl } from './page.ts';

const NAME = 'afterword';
const STORE = 'keyval';

/** Kept events of one origin, and events of one request. */
export const MAX_EVENTS = 100;
/** Their characters: at most 60 kB as UTF-8. Browsers refuse more than 64 KiB in requests that outlive the page. */
export const MAX_CHARS = 20_000;
/** The server dates an event at its arrival when it is older than a day. */
const MAX_AGE_MS = 82_800_000;

/** Events that no answer has acknowledged, as JSON, oldest first. */
export const unsent = new Set<string>();
/** Storage may hold some of them. */
export let stored = false;

/**
 * Runs one transaction. Names are ours alone and the version never changes, so that no tab ever waits for another.
 * @throws when storage refuses.
 */
export async function transact(run: (store: IDBObjectStore) => Promise<unknown>): Promise<void> {
  const opening = indexedDB.open(NAME);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await promisifyRequest(opening);
  const store = database.transaction(STORE, 'readwrite').objectStore(STORE);
  // Closes when the transaction is over, however it ends.
  database.close();
  await run(store);
  await promisifyRequest(store.transaction);
}

/** @throws when storage refuses: at once, or in the promise. */
export function deleteStorage(): Promise<unknown> {
  unsent.clear();
  return promisifyRequest(indexedDB.deleteDatabase(NAME));
}

/** The first events that fit into one request. */
export function firstBatch(events: Iterable<string>, most = MAX_EVENTS): string[] {
  const batch: string[] = [];
  let room = MAX_CHARS;
  for (const event of events) {
    room -= event.length;
    if (room > 0 && batch.length < most) batch.push(event);
  }
  return batch;
}

/**
 * Those of earlier page views and of other tabs, no older than the server believes. They stay in storage until they are
 * acknowledged: tabs may send them twice, and none loses them.
 */
export async function readKept(store: IDBObjectStore): Promise<Set<string>> {
  const kept = new Set<string>();
  // By address that events are posted to: an origin may have pages of several servers.
  for (const event of (await promisifyRequest<string[] | undefined>(store.get(eventsUrl()))) || []) {
    if ((JSON.parse(event) as { date: number }).date > Date.now() - MAX_AGE_MS) kept.add(event);
    stored = true;
  }
  return kept;
}

/**
 * Keeps what is unsent, and no longer what has arrived; what other tabs have kept stays. @throws when storage refuses.
 */
export function keepUnsent(arrived: Iterable<string>): Promise<void> {
  stored = true;
  return transact(async (store) => {
    const kept = await readKept(store);
    for (const event of unsent) kept.add(event);
    for (const event of arrived) kept.delete(event);
    store.put(firstBatch(kept), eventsUrl());
  });
}
