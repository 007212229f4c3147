// Everything the page part and the lists ask of the network. The loader makes the first request of a top list itself.
import type { EventBatch, IncomingEvent } from '../server/contract/wire.ts';
import type { Settings } from './host.ts';
import { data, host, pageUrl } from './page.ts';
import { freshId, id, kept, visitor } from './visitor.ts';

/** What only /related knows: attributes of the same name, "|" between several values of `exclude`. */
const RELATED_FILTERS = 'url,uuid,sort,exclude,pub_date_start,pub_date_end,respect_empty_results';
/** How long a JSON-P answer is waited for, and how long after that a late one finds a function to call. */
const PATIENCE_MS = 6000;
const LATE_MS = 30_000;

/** The page's policy refuses connections to the server; scripts it allows, or we would not be here. */
let refused = false;

export function openApi(): void {
  refused = data().transport === 'jsonp';
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    refused ||= effectiveDirective === 'connect-src' && blockedURI.startsWith(`${host._server}`);
  });
}

/** Sends events, once more when that fails. Text, so that no pre-flight is asked for. */
export function postEvents(events: IncomingEvent[], again?: boolean): void {
  const url = `${host._server}events`;
  const batch: EventBatch = { events };
  const body = JSON.stringify(batch);
  if (document.hidden && navigator.sendBeacon(url, body)) return;
  fetch(url, { method: 'POST', body, keepalive: true })
    .then(({ status }) => {
      if (status >= 500) throw status;
    })
    .catch((error) => (again ? host._report(error) : postEvents(events, true)));
}

/** Asks for a list; equal questions are one request, unless it is asked `again`. @throws when no answer comes. */
export async function ask(address: string, settings: Settings, again?: boolean): Promise<unknown> {
  let url = address;
  if (settings.afterword !== 'top') {
    const { by } = settings;
    const uuid = by !== 'url' && (await visitor()) && kept ? id : '';
    const values: Settings = { url: by === 'visitor' ? '' : pageUrl(), ...settings, uuid };
    for (const name of RELATED_FILTERS.split(',')) {
      for (const value of values[name]?.split('|') || []) if (value) url += `&${name}=${encodeURIComponent(value)}`;
    }
  }
  // Another address: a browser tells of a refusal only once for each.
  if (again) url += '&_=1';
  host._answers[url] ||= getJson(url);
  return host._answers[url];
}

/** JSON by CORS, or by JSON-P where the page forbids the other. @throws when none comes. */
export async function getJson(url: string): Promise<unknown> {
  if (!refused) {
    try {
      return await (await fetch(url)).json();
    } catch (error) {
      // The page's policy says that it was the reason a moment later.
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (!refused) throw error;
    }
  }
  return new Promise((resolve, reject) => {
    // Two copies of this file on a page must not answer each other.
    const name = `afterword_${freshId()}`;
    const functions = window as unknown as Record<string, unknown>;
    const script = document.createElement('script');
    const end = (): void => {
      script.remove();
      functions[name] = () => {};
      setTimeout(() => delete functions[name], LATE_MS);
      reject(url);
    };
    functions[name] = resolve;
    script.nonce = host._tag.nonce;
    script.onload = script.onerror = end;
    setTimeout(end, PATIENCE_MS);
    script.src = `${url}&callback=${name}`;
    document.head.append(script);
  });
}
