// Page views, and the profile that learns from them.
import type { IncomingEvent } from '../../server/contract/wire.ts';
import { getJson, RELATED_FILTERS } from '../api.ts';
import { data, host, ofDocument, pageUrl } from '../page.ts';
import { kept, visitor } from '../visitor.ts';
import { reportReading } from './engaged.ts';
import { report, reports } from './queue.ts';

/** Decides about a view that the page did not ask for. @returns true to leave it out. */
export type AutomaticViewFilter = (url: string, again?: boolean) => boolean;

/** Set by older installations only; the other builds have no trace of it. */
let automaticViewFilter: AutomaticViewFilter | undefined;

export function filterAutomaticViews(filter: AutomaticViewFilter): void {
  automaticViewFilter = filter;
}

/** Counts a view that an older installation reports, of this page or of another that is shown on it. */
export async function countReported(view: Partial<IncomingEvent>): Promise<void> {
  while (ofDocument('hidden')) await new Promise((resolve) => addEventListener('visibilitychange', resolve));
  const page = view.url || pageUrl();
  await count(page, view.url || page.includes('?') ? page : page + location.search, view);
}

/**
 * Counts the page and trains the profile, once a reader sees it: not while it is prerendered or in a background tab.
 */
export async function countView(again?: boolean): Promise<void> {
  while (ofDocument('hidden')) await new Promise((resolve) => addEventListener('visibilitychange', resolve));
  const page = pageUrl();
  const url = page.includes('?') ? page : page + location.search;
  if (!reports('pageview') || (url === host._viewed && !again)) return;
  if (automaticViewFilter?.(url, again)) return;
  await count(page, url);
}

/** @param address Of the page, for the profile. @param viewed The same with the campaign. */
function count(address: string, viewed: string, view?: Partial<IncomingEvent>): Promise<void> {
  // First what happened on the page before: its readers viewed this one after they saw its lists.
  reportReading(true);
  report('pageview', { urlref: host._viewed || ofDocument('referrer'), ...view, url: viewed });
  host._viewed = viewed;
  return train(address);
}

/** Adds a visit of a page to the profile of this reader. Not without an id that will be known again. */
export async function train(url = pageUrl()): Promise<void> {
  const uuid = await visitor();
  if (uuid && kept && reports('profile')) {
    await getJson(host._url(`${host._server}v2/profile`, { site: data().site, uuid, url }, RELATED_FILTERS)).catch(
      host._report,
    );
  }
}
