// The functions of an older installation, by their names below `PARSELY`. Each may be called at once and with anything:
// it neither throws nor waits, and what it reports is sent in the order of the calls when the reader's id is known.
import type { ParselyFunction } from '../../server/contract/parselySurface.ts';
import type { Action, IncomingEvent } from '../../server/contract/wire.ts';
import type { Afterword } from '../commands.ts';
import { type Details, type NamedDetails, toDetails, toFields, toText } from './details.ts';
import { createVideos, type Videos } from './videos.ts';
import { createViews, type ViewSettings, type Views } from './views.ts';

/** The page's own object. */
export interface Parsely extends ViewSettings {
  apikey?: string;
  config?: Record<string, unknown>;
  loaded?: boolean;
  lastRequest?: NamedDetails;
  onload?(): void;
  onReady?(): void;
  onStart?: unknown;
  onBeacon?(event: NamedDetails): void;
  onHeartbeat?(seconds: number): void;
}

export interface Surroundings {
  parsely: Parsely;
  /** Runs a call now, or when the page part is here. */
  run(call: (afterword: Afterword) => void): void;
  /** Resolves when the reader's id is known. */
  ready: Promise<unknown>;
  /** `afterword.js` was here first: its page part is a copy of its own. */
  besides: boolean;
  /** The page has given another default for the address of what it reports. */
  onUrl(url: string): void;
  /** The page reports its videos itself. */
  onVideo(videos: Videos): void;
}

export interface Functions {
  all: Record<ParselyFunction, (...given: unknown[]) => unknown>;
  views: Views;
  videos: Videos;
  /** Completes an event, and lets the page know of it. */
  complete(event: IncomingEvent): IncomingEvent;
}

/** Types of conversions and their labels where none is given. */
const LABELS = {
  newsletter_signup: 'Newsletter Signup',
  lead_capture: 'Lead Capture',
  link_click: 'Link Click',
  subscription: 'Subscription',
  purchase: 'Purchase',
  custom: 'Custom',
};
/** The server cuts longer ones. */
const MAX_LABEL = 200;
const HEARTBEATS = ['heartbeat', 'vheartbeat'];
const ACTIONS = [...HEARTBEATS, 'videostart', 'share', 'custom'];

export function createFunctions(around: Surroundings): Functions {
  const { parsely, run, besides } = around;
  let defaults: Details = {};
  const fill = (details: Details): Details => {
    const data = { ...defaults.data, ...details.data };
    return { ...defaults, ...details, ...(Object.keys(data)[0] && { data }) };
  };
  const complete: Functions['complete'] = (event) => {
    const { url, urlref, ...rest } = defaults;
    const whole = { ...rest, ...event, data: { ...rest.data, ...event.data } };
    notify(parsely, whole);
    return whole;
  };
  const report = (action: string, details: Details): void =>
    run((afterword) => {
      const event = fill(details);
      // The other copy completes nothing.
      if (besides) notify(parsely, { action, url: location.href, ...event });
      afterword.report(action as Action, event as Partial<IncomingEvent>);
    });
  const views = createViews(parsely, besides, run);
  const videos = createVideos(report);

  const convert = (type: unknown, label: unknown, details: Details = {}): void => {
    const said = toText(type, MAX_LABEL) ?? 'custom';
    const known = said.toLowerCase().replaceAll(' ', '_');
    const _conversion_type = Object.hasOwn(LABELS, known) ? known : said;
    const usual = Object.hasOwn(LABELS, known) ? LABELS[known as keyof typeof LABELS] : said;
    const _conversion_label = toText(label, MAX_LABEL) ?? usual;
    report('conversion', { ...details, data: { ...details.data, _conversion_type, _conversion_label } });
  };
  const converter =
    (type: keyof typeof LABELS) =>
    (given: unknown): void => {
      // An object is no label; one with fields of its own may have it among them, an event of the browser has not.
      const data = typeof given === 'string' ? undefined : toFields(given);
      convert(type, data?.label ?? data?._conversion_label ?? given, data && { data });
    };
  const track = (params: unknown): void => {
    const { action = 'pageview', ...details } = toDetails(params);
    const { data } = details;
    if (action === 'pageview') views.report(fill(details));
    else if (action === 'conversion') convert(data?._conversion_type, data?._conversion_label, details);
    else if (ACTIONS.includes(action)) report(action, details);
    else report('custom', { ...details, data: { ...data, what: action } });
  };

  return {
    views,
    videos,
    complete,
    all: {
      updateDefaults(given) {
        const { action, ...details } = toDetails(given);
        // Once more: calls add up.
        defaults = toDetails(fill(details));
        if (details.url) around.onUrl(details.url);
      },
      setConfigOptions(given) {
        const { track_ip_addresses } = toFields(given) ?? {};
        if (track_ip_addresses !== undefined) Object.assign(parsely.config!, { track_ip_addresses });
      },
      initNewPage(start) {
        videos.reset();
        delete parsely.lastRequest;
        if (start !== false && parsely.autotrack !== false) track({});
      },
      isFlashlight: () => false,
      onStart(call) {
        // In a task of its own: what the page's functions throw is the page's.
        if (typeof call === 'function') around.ready.then(() => setTimeout(() => call()));
      },
      'beacon.trackPageView': track,
      'beacon.pixel.beacon': track,
      'beacon.trackConversion'(given, label) {
        const { category, type, ...rest }: Conversion =
          typeof given === 'string' ? { category: given } : (toFields(given) ?? {});
        const data = rest.data ?? rest;
        convert(
          category ?? type ?? data._conversion_type,
          rest.label ?? label ?? data._conversion_label,
          toDetails(rest),
        );
      },
      'conversions.trackNewsletterSignup': converter('newsletter_signup'),
      'conversions.trackLeadCapture': converter('lead_capture'),
      'conversions.trackLinkClick': converter('link_click'),
      'conversions.trackSubscription': converter('subscription'),
      'conversions.trackPurchase': converter('purchase'),
      'conversions.trackCustom': converter('custom'),
      'video.trackPlay'(id, metadata, url) {
        around.onVideo(videos);
        videos.play(id, metadata, url);
      },
      'video.trackPause': videos.pause,
      'video.reset': videos.reset,
      'video.detectVideos': () => undefined,
      'video.addStrategy': () => undefined,
    },
  };
}

/** What a page gives of a conversion: fields of its own, or of an event. */
interface Conversion {
  category?: unknown;
  type?: unknown;
  label?: unknown;
  data?: Record<string, unknown>;
  _conversion_type?: unknown;
  _conversion_label?: unknown;
}

/** In tasks of their own: what the page's functions throw is the page's. */
function notify(parsely: Parsely, event: NamedDetails): void {
  const shown = { ...event };
  if (HEARTBEATS.includes(event.action!)) {
    if (event.action === 'heartbeat') setTimeout(() => call(parsely, 'onHeartbeat', event.inc));
  } else parsely.lastRequest = shown;
  setTimeout(() => call(parsely, 'onBeacon', shown));
}

/** Calls a function of the page, where it is one. */
export function call(parsely: Parsely, name: keyof Parsely, ...given: unknown[]): void {
  const found: unknown = parsely[name];
  if (typeof found === 'function') found.apply(parsely, given);
}
