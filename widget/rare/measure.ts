// What a list of an experiment does to its page: how far the page moves once it is drawn, and errors of our script.
// Bundled with the experiment part.
import type { ListReport } from '../../server/contract/wire.ts';

/** The programming interface of the tag, as far as it is used here. */
interface Tag {
  /** @param waits For the next event that is sent. */
  report?(action: 'list', details: { lists: ListReport[] }, waits: true): void;
}

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

/** Bounds of the report: `shift` and `errors` of LEDGER_LIMITS, which would bring all limits into the bundle. */
const MOST_SHIFT = 1;
const MOST_ERRORS = 100;

const SHIFT = 'layout-shift';

/** Folder of this file, where all of ours are. */
const OURS = import.meta.url.replace(/[^/]*$/, '');

/** Of slots that are measured: ends it. */
const measured = new WeakMap<Element, () => void>();

/**
 * Measures the page from now until its tab is first hidden, or the slot shows something else, and reports it then.
 * @param place Where the list is drawn. Undefined: nowhere, in a variant without one.
 * @param says What the report says of the list.
 * @returns notes that the list failed.
 */
export function measure(slot: HTMLElement, place: HTMLElement | undefined, says: ListReport): () => void {
  measured.get(slot)?.();
  let shift = 0;
  let errors = 0;
  const fail = (): void => {
    errors++;
  };
  const add = (entries: PerformanceEntryList): void => {
    for (const { value, hadRecentInput } of entries as Shift[]) if (!hadRecentInput && slot.isConnected) shift += value;
  };
  // Other browsers measure no shift.
  const observer = window.PerformanceObserver?.supportedEntryTypes?.includes(SHIFT)
    ? new PerformanceObserver((list) => add(list.getEntries()))
    : undefined;
  const listening = new AbortController();
  const end = (): void => {
    measured.delete(slot);
    listening.abort();
    add(observer?.takeRecords() ?? []);
    observer?.disconnect();
    const moved = observer && { shift: Math.round(Math.min(shift, MOST_SHIFT) * 1000) / 1000 };
    const list = { ...says, ...moved, errors: Math.min(errors, MOST_ERRORS) };
    (window.afterword as Tag | undefined)?.report?.('list', { lists: [list] }, true);
  };
  measured.set(slot, end);
  observer?.observe({ type: SHIFT });
  // In the capture phase: before the queue is sent because of the same event.
  const options = { capture: true, signal: listening.signal };
  addEventListener('visibilitychange', () => document.hidden && end(), options);
  addEventListener('error', ({ filename }: ErrorEvent) => filename?.startsWith(OURS) && fail(), options);
  place?.addEventListener('afterword:error', fail, options);
  return fail;
}
