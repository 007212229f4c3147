// The page the widget stands on: its address as the server should know it, and what the loader left for us.
import type { Host } from './host.ts';
import type * as Rare from './rare/rare.ts';
import { ofDocument, ofWindow } from './unclobbered.ts';

export { ofDocument, ofWindow } from './unclobbered.ts';

/** Set before anything else of this part runs. */
export let host: Host;
export const data = (): DOMStringMap => host._tag.dataset;

/** Where events are posted to. */
export const eventsUrl = (): string => `${host._server}events`;

/** Undefined when nothing comes in so many milliseconds. */
export const within = <Result>(ms: number, coming: Promise<Result>): Promise<Result | undefined> =>
  Promise.race([coming, new Promise<undefined>((resolve) => setTimeout(resolve, ms))]);

/** Says to the page what becomes of a list, out of the shadow root of a component, too. */
export function dispatch(slot: HTMLElement, type: string, detail?: unknown): void {
  slot.dispatchEvent(new CustomEvent(`afterword:${type}`, { bubbles: true, composed: true, detail }));
}

/** Fetches the rare part, where it is not here with everything else. */
export const rare = (): Promise<typeof Rare> => host._load('rare') as Promise<typeof Rare>;

/**
 * The canonical link as it was when a page was arrived at, or when a reader last moved on it: before what that sets
 * off.
 */
let settled: string | undefined;
/**
 * The canonical link of the page left behind: a router may update it after it changed the address, or in the same step
 * before.
 */
let stale: string | undefined;

function canonicalLink(): string | undefined {
  const link = ofDocument('querySelector').call(document, 'link[rel=canonical]');
  return (link as HTMLLinkElement | null)?.href;
}

export function openPage(loader: Host): void {
  host = loader;
}

/** `data-url`, else the canonical link, else the address; never a fragment. */
export function pageUrl(): string {
  const link = canonicalLink();
  return (data().url || (link !== stale && link) || location.href).split('#')[0]!;
}

export function settle(): void {
  settled = canonicalLink();
}

/**
 * Calls back after another page was pushed or walked back to: neither for a fragment alone, nor for a query that is
 * tidied away where it stands. Navigation API, else the history's own calls.
 */
export function onNavigation(moved: () => void): void {
  settle();
  let at = location.href;
  const arrive = (step?: { navigationType?: string }): void => {
    const end = step?.navigationType === 'replace' ? /[?#]/ : '#';
    // biome-ignore lint/suspicious/noAssignInExpressions: this part is counted in bytes
    if (at.split(end)[0] === (at = location.href).split(end)[0]) return;
    stale = settled;
    setTimeout(() => {
      moved();
      settle();
    });
  };
  const navigation = ofWindow<EventTarget>('navigation');
  if (navigation) navigation.addEventListener('currententrychange', arrive as () => void);
  else {
    const push = history.pushState;
    history.pushState = function (...args) {
      push.apply(this, args);
      arrive();
    };
    addEventListener('popstate', arrive as () => void);
  }
}
