// Delivery of events, until the server has acknowledged them: one request at a time, again after a pause when it fails.
// With the reader's consent, what a page view cannot deliver is kept for a later one. An event has an id: one sent
// twice is counted once.
import { postBeacon, postEvents } from '../api.ts';
import { host, ofDocument } from '../page.ts';
import { firstBatch, keepUnsent, MAX_EVENTS, stored, unsent } from '../storage.ts';
import { consent } from '../visitor.ts';

/** Tries without a new event: about five minutes. */
const MAX_TRIES = 10;
/** Longest wait that a server may ask for, in seconds. */
const MAX_WAIT = 3600;

/** Batch that waits for its answer. */
let underWay: string[] = [];
/** Failures since the last answer. */
let tries = 0;
/** No request before the pause is over. */
let pausing = false;
/** Events of one request: less where the server takes less. */
let most = MAX_EVENTS;

/** Early, not when the page is left: storage opens too slowly for that. */
function keep(done: string[] = []): void {
  if (consent) keepUnsent(done).catch(host._report);
}

function acknowledge(batch: string[]): void {
  for (const event of batch) unsent.delete(event);
  if (stored) keep(batch);
}

/** Sends what is unsent; as a beacon when the page is hidden, which may be its end. */
export async function deliver(): Promise<void> {
  if (tries && unsent.size) keep();
  while (ofDocument('hidden')) {
    const batch = firstBatch([...unsent].filter((event) => !underWay.includes(event)));
    if (!batch[0]) return;
    const accepted = postBeacon(batch);
    // Whether a beacon arrives is never known, and it does not where requests just failed: these stay.
    if (tries) return;
    if (!accepted) {
      keep();
      break;
    }
    acknowledge(batch);
  }
  if (pausing || underWay[0]) return;
  do underWay = firstBatch(unsent, most);
  while (underWay[0] && (await send(underWay)));
  underWay = [];
}

/** @returns false when what follows has to wait for a later try. */
async function send(batch: string[]): Promise<boolean> {
  let status = 0;
  let wait = 0;
  try {
    const answer = await postEvents(batch);
    status = answer.status;
    wait = Math.min(+answer.headers.get('Retry-After')! || 0, MAX_WAIT);
    const { message } = await answer.json();
    if (message) console.warn(message);
  } catch (error) {
    host._report(error);
  }
  if ((status === 413 || status === 422) && batch[1]) {
    most = batch.length >> 1;
  } else if (status && status !== 429 && status < 500) {
    tries = 0;
    acknowledge(batch);
  } else {
    pausing = true;
    setTimeout(
      () => {
        pausing = false;
        // A hidden page continues when it is seen again.
        if (tries < MAX_TRIES && !ofDocument('hidden')) deliver().catch(host._report);
      },
      // 1, 2, 4 … 64 s, each half as much more or less: the pages of a site shall not come back all at once.
      (wait + 2 ** Math.min(tries++, 6) * (0.5 + Math.random())) * 1000,
    );
    keep();
    return false;
  }
  return true;
}
