// Everything the page part and the lists ask of the network. The loader makes the first request of a top list itself.
import type { Settings } from './host.ts';
import { data, eventsUrl, host, ofDocument, pageUrl, rare } from './page.ts';
import type * as Rare from './rare/rare.ts';
import { freshId, id, kept, visitor } from './visitor.ts';

/** What only /related knows: attributes of the same name; `mix`, `rules` and `popularity` are set by experiments. */
export const RELATED_FILTERS = 'url uuid sort mix rules popularity pub_date_start pub_date_end respect_empty_results ';

/** The page's policy refuses connections to the server; scripts it allows, or we would not be here. */
let refused = false;

/** How long after a failed request a policy may say that it was the reason, in milliseconds. */
const REFUSAL_MS = 50;

export function openApi(): void {
  refused = data().transport === 'jsonp';
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    refused ||= effectiveDirective === 'connect-src' && blockedURI.startsWith(host._server as string);
  });
}

/**
 * Connects to the server, or does otherwise where the page's policy forbids that. The policy says a moment after a
 * request failed that it was the reason. @throws what fails.
 */
async function reach<Result>(
  connect: () => Promise<Result>,
  otherwise: (part: typeof Rare) => Promise<Result>,
): Promise<Result> {
  if (!refused) {
    try {
      return await connect();
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, REFUSAL_MS));
      if (!refused) throw error;
    }
  }
  return otherwise(await rare());
}

/** How long an answer to events is waited for, in milliseconds. */
const ANSWER_MS = 20_000;

/** JSON of each event → body of a request. Text, so that no pre-flight is asked for. */
const toBody = (events: string[]): string => `{"events":[${events.join()}]}`;

/**
 * Sends events without waiting for an answer. @returns false when the browser or the page's policy does not take them.
 */
export function postBeacon(events: string[]): boolean {
  return !refused && navigator.sendBeacon?.(eventsUrl(), toBody(events));
}

/** Sends events, as pixels where the page's policy forbids connections. @throws when no answer comes. */
export const postEvents = (events: string[]): Promise<Response> =>
  reach(
    () =>
      fetch(eventsUrl(), {
        method: 'POST',
        body: toBody(events),
        keepalive: true,
        signal: AbortSignal.timeout(ANSWER_MS),
      }),
    ({ sendPixels }) => sendPixels(host._server, events),
  );

/** Most posts that a related list asks for. */
const MOST_ASKED = 60;

/**
 * Asks for a list; equal questions are one request, unless it is asked `again`, after that one failed: for each list by
 * itself, as the server may be back when a reader comes to the next one. @throws when no answer comes.
 */
export async function ask(settings: Settings, again?: boolean): Promise<unknown> {
  const { afterword, by, exclude = '' } = settings;
  // Consent managers leave a `data-type` of their own on the tags that they release.
  const type = settings.type === 'videos' ? 'videos' : 'posts';
  let url = host._url(`${host._server}v2/top/${type}`, settings);
  if (afterword !== 'top') {
    // As many posts as all slots show: it stays full without what others show. A slot in a component's shadow root is
    // none of them.
    let limit = 0;
    for (const slot of host._slots()) limit += (slot.afterword?.limit as unknown as number) | 0;
    url = host._url(
      `${host._server}v2/related`,
      {
        ...settings,
        // And the page itself.
        limit: `${Math.min(Math.max(limit, settings.limit as never) + 1, MOST_ASKED)}`,
        url: by === 'visitor' ? '' : (settings.url ?? pageUrl()),
        uuid: by !== 'url' && (await visitor()) && kept ? id : '',
      },
      RELATED_FILTERS,
    );
    for (const value of exclude.split('|')) if (value) url += `&exclude=${encodeURIComponent(value)}`;
  }
  // Another address: a browser reports a refusal only once for each.
  if (again) return getJson(`${url}&_`);
  // biome-ignore lint/suspicious/noAssignInExpressions: this part is counted in bytes
  return (host._answers[url] ||= getJson(url));
}

/** JSON by CORS, or by JSON-P where the page forbids the other. @throws when none comes. */
export const getJson = (url: string): Promise<unknown> =>
  reach(
    async () => (await fetch(url)).json(),
    ({ askByScript }) => askByScript(url, freshId(), host._tag, ofDocument),
  );
