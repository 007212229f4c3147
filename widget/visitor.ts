// The reader's id: made once, kept in the site's own IndexedDB, never elsewhere. No id without consent.
import { promisifyRequest } from 'idb-keyval';
import { data, host, within } from './page.ts';
import { deleteStorage, readKept, transact, unsent } from './storage.ts';

/** Storage can refuse by throwing, by rejecting or by never answering (Safari, while another tab upgrades). */
const PATIENCE_MS = 1000;
const KEY = 'visitor';

/** Whether this reader may have an id and a profile: what `consent()` said, else what the page and the browser say. */
export let consent: boolean;
/** Undefined until it is read or made. */
export let id: string | undefined;
/** Storage has the id: false where it is blocked or hangs, and the id lives for this page only. */
export let kept = false;
let opening: Promise<unknown> | undefined;

/** A second place for the id, which comes before storage. None of its methods throws. */
export interface IdCookie {
  read(): string | undefined;
  write(id: string): void;
  remove(): void;
  /** What a new id begins with. */
  prefix: string;
}

/** Set by older installations only; the other builds have no trace of it. */
let idCookie: IdCookie | undefined;

export function keepIdIn(cookie: IdCookie): void {
  idCookie = cookie;
}

/** No: where consent is required, or where the browser sends Global Privacy Control or Do Not Track. */
export function openConsent(): void {
  consent = !(
    data().consent ||
    (navigator as Navigator & { globalPrivacyControl?: boolean }).globalPrivacyControl ||
    navigator.doNotTrack === '1'
  );
}

export function setConsent(decision: boolean): void {
  consent = decision;
}

/** 32 hexadecimal digits. `crypto.randomUUID` is missing on http pages. */
export function freshId(): string {
  // Not by methods of lists, which old libraries replace by others of the same name.
  let hex = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) hex += (byte + 256).toString(16).slice(1);
  return hex;
}

/** The id, and whether it persists; no id where ids are not allowed. Never rejects. */
export async function visitor(): Promise<string | undefined> {
  if (!consent) return;
  opening ||= open();
  await opening;
  return id;
}

/**
 * The old id is read in the same transaction, so that tabs racing each other agree; and what earlier page views could
 * not send.
 */
async function open(): Promise<void> {
  id = data().visitor;
  kept = !!id;
  const old = kept ? undefined : idCookie?.read();
  const made = idCookie ? idCookie.prefix + freshId() : freshId();
  const read = async (): Promise<void> => {
    await transact(async (store) => {
      // The reader may have refused meanwhile, here and below.
      for (const event of await readKept(store)) if (consent) unsent.add(event);
      if (kept) return;
      id = old || (await promisifyRequest<string | undefined>(store.get(KEY))) || made;
      store.put(id, KEY);
    });
    kept = true;
  };
  await within(PATIENCE_MS, read().catch(host._report));
  id = consent ? id || old || made : undefined;
  if (idCookie && id && !data().visitor) {
    idCookie.write(id);
    kept ||= idCookie.read() === id;
  }
}

/** Stores an id for the pages after this one. @throws when storage refuses. */
export const storeId = (next: string): Promise<void> =>
  transact(async (store) => {
    store.put(next, KEY);
  });

/**
 * Deletes the id, what it was kept in and the events kept beside it, and makes none again on this page. @throws when
 * storage refuses.
 */
export async function forget(): Promise<void> {
  consent = false;
  opening = id = undefined;
  idCookie?.remove();
  await deleteStorage();
}
