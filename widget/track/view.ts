// Page views, and the profile that learns from them.
import { getJson } from '../api.ts';
import { data, host, ofDocument, pageUrl } from '../page.ts';
import { kept, visitor } from '../visitor.ts';
import { tellEngagement } from './engaged.ts';
import { report, reports } from './queue.ts';

/** Counts the page and trains the profile, once a reader sees it: not while it is prerendered or in a background tab. */
export async function countView(again?: boolean): Promise<void> {
  while (ofDocument('hidden')) await new Promise((resolve) => addEventListener('visibilitychange', resolve));
  const page = pageUrl();
  const url = page.includes('?') ? page : page + location.search;
  if (!reports('pageview') || (url === host._viewed && !again)) return;
  tellEngagement();
  report('pageview', { url, urlref: host._viewed || ofDocument('referrer') });
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
