// Views that a page with an older installation reports itself, beside those that are counted without a call: neither
// twice.
import type { Afterword } from '../commands.ts';
import { reports } from '../track/queue.ts';
import { type AutomaticViewFilter, countReported } from '../track/view.ts';
import type { Details } from './details.ts';

/** Of the page's object, what says which views are counted without a call. */
export interface ViewSettings {
  autotrack?: unknown;
  spa?: { autotrack?: unknown };
}

export interface Views {
  report(details: Details): void;
  filter: AutomaticViewFilter;
}

/** Views kept until the reader consents. */
const MAX_WAITING = 20;

/** @param besides Whether `afterword.js` was here first and counts the page's views itself. */
export function createViews(
  settings: ViewSettings,
  besides: boolean,
  run: (call: (afterword: Afterword) => void) => void,
): Views {
  const waiting: Details[] = [];
  let loaded = false;
  /**
   * While the page part counts a page that comes back from the back-forward cache; other repeated views are asked for.
   */
  let returning = false;
  addEventListener('pageshow', ({ persisted }) => {
    returning = persisted;
    setTimeout(() => {
      returning = false;
    });
  });
  /** Addresses of a view that was counted without a call: one call for it counts nothing more. */
  let unclaimed = besides && settings.autotrack === false ? [pathOf(location.href)] : [];
  /** The view that was reported last, and where the reader was then. */
  let reported = { page: '', at: '' };
  const send = (details: Details): void =>
    run((afterword) => {
      if (besides) {
        afterword.report('pageview', { url: location.href, urlref: location.href, ...details });
        afterword.train(details.url);
      } else if (reports('pageview')) countReported(details);
      else if (waiting.length < MAX_WAITING) waiting[waiting.length] = details;
    });
  return {
    report(details) {
      const page = pathOf(details.url ?? location.href);
      // Another view of the same page, as of the next picture, comes from this page itself.
      const next = details.url !== undefined && details.url === details.urlref;
      const claims = unclaimed.includes(page) && !next;
      unclaimed = [];
      reported = { page, at: location.href };
      if (!claims) send(details);
    },
    filter(url, again) {
      if (again && !returning) return false;
      const arrived = !loaded && !again;
      loaded = true;
      for (const details of waiting.splice(0)) send(details);
      if (arrived || again) return settings.autotrack === false;
      const addresses = [pathOf(url), pathOf(location.href)];
      const known = reported.at === location.href && addresses.includes(reported.page);
      if (known || (settings.spa?.autotrack ?? settings.autotrack) === false) return true;
      unclaimed = addresses;
      return false;
    },
  };
}

/** Campaign parameters and canonical links make addresses of one page differ in their query. */
const pathOf = (url: string): string => url.split(/[?#]/)[0]!;
