// The page part: knows the page and its reader, reports what happens on it, trains the profile. Fetched once, early.
import { openApi } from './api.ts';
import { openCommands } from './commands.ts';
import type { Host, PagePart } from './host.ts';
import { host, onNavigation, openPage } from './page.ts';
import { watchClicks } from './track/clicks.ts';
import { measureEngagement, reportReading } from './track/engaged.ts';
import { flush } from './track/queue.ts';
import { countView } from './track/view.ts';
import { openConsent } from './visitor.ts';
import { watchSlots } from './watchSlots.ts';

export { ask } from './api.ts';
export { drawCard } from './commands.ts';
export { dispatch, host, ofDocument, ofWindow, pageUrl, within } from './page.ts';
export { report } from './track/queue.ts';
export { visitor } from './visitor.ts';

/** Lists older than this are asked for again when the page comes back from the back-forward cache. */
const OLD_MS = 300_000;

let asked = Date.now();

function refresh(): void {
  asked = Date.now();
  host._answers = {};
  // Of slots that left with a page nothing is kept.
  for (const slot of host._slots()) host._near!.observe(slot);
}

/** On paper nothing moves, and a list that was never near the window is not drawn. */
function giveRoomBack(): void {
  for (const slot of host._slots()) slot.style.minHeight = '';
}

export function attend(this: PagePart, given: Host): void {
  openPage(given);
  openConsent();
  openApi();
  // Before commands, which may show a slot.
  watchSlots(this);
  measureEngagement();
  watchClicks();
  openCommands(refresh);
  addEventListener('beforeprint', giveRoomBack);
  addEventListener('visibilitychange', () => {
    reportReading();
    flush();
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    countView(true);
    if (Date.now() - asked > OLD_MS) refresh();
  });
  onNavigation(() => {
    refresh();
    countView();
  });
  countView();
}
