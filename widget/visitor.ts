// The reader's id: made once, kept in the site's own IndexedDB, never elsewhere. No id without consent.
import { promisifyRequest } from 'idb-keyval';
import { data, host } from './page.ts';

/** Storage can refuse by throwing, by rejecting or by never answering (Safari, while another tab upgrades). */
const PATIENCE_MS = 1000;
const NAME = 'afterword';
const KEY = 'visitor';
const STORE = 'keyval';

/** Whether this reader may have an id and a profile: what `consent()` said, else what the page and the browser say. */
export let consent: boolean;
/** Undefined until it is read or made. */
export let id: string | undefined;
/** Storage has the id: false where it is blocked or hangs, and the id lives for this page only. */
export let kept = false;
let opening: Promise<unknown> | undefined;

/** No: where consent is required, or where the browser sends Global Privacy Control or Do Not Track. */
export function openConsent(): void {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & { globalPrivacyControl?: boolean };
  consent = !(data().consent || globalPrivacyControl || doNotTrack === '1');
}

export function setConsent(given: boolean): void {
  consent = given;
}

/** 32 hexadecimal digits. `crypto.randomUUID` is missing on http pages. */
export function freshId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => (byte + 256).toString(16).slice(1)).join('');
}

/** The id, and whether it will be known again; nobody, where ids are not allowed. Never rejects. */
export async function visitor(): Promise<string | undefined> {
  if (!consent) return;
  opening ||= open();
  await opening;
  return id;
}

/**
 * The old id is read in the same transaction, so that tabs racing each other agree.
 * Names are ours alone and the version never changes, so that no tab ever waits for another.
 */
async function open(): Promise<void> {
  id = data().visitor;
  kept = !!id;
  if (kept) return;
  const made = freshId();
  const keep = async (): Promise<void> => {
    const opening = indexedDB.open(NAME);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    const database = await promisifyRequest(opening);
    const store = database.transaction(STORE, 'readwrite').objectStore(STORE);
    // Closes when the transaction is over, however it ends.
    database.close();
    id = (await promisifyRequest<string | undefined>(store.get(KEY))) || made;
    store.put(id, KEY);
    await promisifyRequest(store.transaction);
    kept = true;
  };
  await Promise.race([keep().catch(host._report), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
  id ||= made;
}

/** Deletes the id and what it was kept in, and makes none again on this page. @throws when storage refuses. */
export async function forget(): Promise<void> {
  consent = false;
  opening = id = undefined;
  await promisifyRequest(indexedDB.deleteDatabase(NAME));
}
