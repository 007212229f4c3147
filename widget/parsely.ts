// `p.js`: for pages that carry a Parse.ly installation, of which only the host is changed. It reads the Site ID where that
// installation keeps it, and sets what scripts around it (the WordPress plugin's among them) read and call.
import { type Afterword, openQueue } from './commands.ts';
import { ofDocument, ofWindow } from './unclobbered.ts';
import { startWhole } from './whole.ts';

interface Parsely {
  /** False: the page reports its views itself, by `beacon.trackPageView`. */
  autotrack?: boolean;
  apikey?: string;
  config?: Record<string, unknown>;
  loaded?: boolean;
  /** Called once, when the reader's id is known. */
  onload?(): void;
  onReady?(): void;
  beacon?: { trackPageView(view?: { url?: string }): void };
  conversions?: Record<string, (label?: string) => void>;
}

const CONVERSIONS = {
  trackNewsletterSignup: 'newsletter_signup',
  trackLeadCapture: 'lead_capture',
  trackLinkClick: 'link_click',
  trackSubscription: 'subscription',
  trackPurchase: 'purchase',
  trackCustom: 'custom',
};

const tag = ofDocument('currentScript') as HTMLScriptElement;
const parsely = ofWindow<Parsely>('PARSELY') || {};
Object.assign(window, { PARSELY: parsely });
const keyOfPath = /\/keys\/([^/]+)\//.exec(tag.src)?.[1];
const marking = ofDocument('querySelector').call(document, '[data-parsely-site]') as HTMLElement | null;
const marked = marking?.dataset.parselySite;
// Without any of these, an installation stands for the host it is on.
tag.dataset.site ||= marked || parsely.apikey || keyOfPath || location.hostname;
if (parsely.autotrack === false) tag.dataset.track = 'heartbeat videostart vheartbeat conversion share custom profile';

openQueue().push(async (afterword: Afterword) => {
  parsely.conversions = Object.fromEntries(
    Object.entries(CONVERSIONS).map(([name, type]) => [name, (label) => afterword.conversion(type, label)]),
  );
  parsely.beacon = {
    trackPageView: (view) => {
      if (view?.url) tag.dataset.url = view.url;
      delete tag.dataset.track;
      afterword.view();
    },
  };
  parsely.config = { ...parsely.config, apikey: tag.dataset.site, parsely_site_uuid: await afterword.visitor() };
  parsely.loaded = true;
  // What the page's own functions throw is the page's: not inside ours.
  setTimeout(() => parsely.onload?.());
  setTimeout(() => parsely.onReady?.());
});
startWhole(tag);
