// The page the widget stands on: its address as the server should know it, and what the loader left for us.
import type { Host } from './host.ts';
import type * as Rare from './rare/rare.ts';

/** Set before anything else of this part runs. */
export let host: Host;
export const data = (): DOMStringMap => host._tag.dataset;

/** Fetches the rare part, where it is not here with everything else. */
export const rare = (): Promise<typeof Rare> => host._load('rare') as Promise<typeof Rare>;

/** The canonical link as it was before the step of the page's script that runs now. */
let settled: string | undefined;
/** The canonical link of the page left behind: a router may update it after it changed the address, or in the same step before. */
let stale: string | undefined;

function canonicalLink(): string | undefined {
  return document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;
}

export function openPage(given: Host): void {
  host = given;
}

/** `data-url`, else the canonical link, else the address; never a fragment. */
export function pageUrl(): string {
  const link = canonicalLink();
  return (data().url || (link !== stale && link) || location.href).split('#')[0]!;
}

/** Calls back after a new address was pushed or walked back to. Navigation API, else the history's own calls. */
export function onNavigation(moved: () => void): void {
  const settle = (): void => {
    settled = canonicalLink();
  };
  settle();
  // Told after the step is over.
  new MutationObserver(settle).observe(document.head, { attributes: true, childList: true, subtree: true });
  const arrive = (): void => {
    stale = settled;
    setTimeout(moved);
  };
  const { navigation } = window as { navigation?: EventTarget };
  if (navigation) navigation.addEventListener('currententrychange', arrive);
  else {
    const push = history.pushState;
    history.pushState = function (...args) {
      push.apply(this, args);
      arrive();
    };
    addEventListener('popstate', arrive);
  }
}
