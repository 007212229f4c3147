// Page views, and the profile that learns from them.
import type { IncomingEvent } from '../../server/contract/wire.ts';
import { getJson } from '../api.ts';
import { data, host, ofDocument, pageUrl } from '../page.ts';
import { kept, visitor } from '../visitor.ts';
import { tellEngagement } from './engaged.ts';
import { report, reports } from './queue.ts';

/** Decides about a view that the page did not ask for. @returns true to leave it out. */
export type AutomaticViewFilter = (url: string, again?: boolean) => boolean;

/** Set by older installations only; the other builds have no trace of it. */
let automaticViewFilter: AutomaticViewFilter | undefined;

export function filterAutomaticViews(filter: AutomaticViewFilter): void {
  automaticViewFilter = filter;
}

/** Of views that the page did not ask for. */
const NOTHING: Partial<IncomingEvent> = {};

/**
 * Counts the page and trains the profile, once a reader sees it: not while it is prerendered or in a background tab.
 * @param again Also where this address was the last one counted.
 * @param asked What the page reports of its view: its `url` instead of the page's, `urlref`, `data` …
 */
export async function countView(again?: boolean, asked = NOTHING): Promise<void> {
  while (ofDocument('hidden')) await new Promise((resolve) => addEventListener('visibilitychange', resolve));
  const page = asked.url || pageUrl();
  const url = asked.url || page.includes('?') ? page : page + location.search;
  if (!reports('pageview') || (url === host._viewed && !again)) return;
  if (asked === NOTHING && automaticViewFilter?.(url, again)) return;
  tellEngagement();
  report('pageview', { urlref: host._viewed || ofDocument('referrer'), ...asked, url });
  host._viewed = url;
  await train(page);
}

/** Tells the profile of this reader that a page was visited. Not without an id that will be known again. */
export async function train(url = pageUrl()): Promise<void> {
  const uuid = await visitor();
  if (uuid && kept && reports('profile')) {
    await getJson(`${host._server}v2/profile?${new URLSearchParams({ apikey: data().site!, uuid, url })}`).catch(
      host._report,
    );
  }
}
