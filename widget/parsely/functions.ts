// The functions of an older installation, by their names below `PARSELY`. Each may be called at once and with anything:
// it neither throws nor waits, and what it reports is sent in the order of the calls when the reader's id is known.
import type { ParselyFunction } from '../../server/contract/parselySurface.ts';
import type { Action, IncomingEvent } from '../../server/contract/wire.ts';
import type { Afterword } from '../commands.ts';
import { conversionFunctions, createConvert } from './conversions.ts';
import { type Details, toDetails, toFields } from './details.ts';
import { HEARTBEATS, notify, type Parsely } from './pageObject.ts';
import { createVideos, type Videos } from './videos.ts';
import { createViews, type Views } from './views.ts';

export interface Surroundings {
  parsely: Parsely;
  /** Runs a call now, or when the page part is here. */
  run(call: (afterword: Afterword) => void): void;
  /** Resolves when the reader's id is known. */
  ready: Promise<unknown>;
  /** `afterword.js` was here first: its page part is a copy of its own. */
  besides: boolean;
  setConsent(given: unknown): boolean;
  /** The page has given another default for the address of what it reports. */
  onUrl(url: string): void;
  /** The page reports its videos itself. */
  onVideo(videos: Videos): void;
}

export interface Functions {
  all: Record<ParselyFunction, (...given: unknown[]) => unknown>;
  views: Views;
  videos: Videos;
  /** Completes an event, and shows it to the page. */
  complete(event: IncomingEvent): IncomingEvent;
}

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
  const convert = createConvert(report);
  const videos = createVideos(report);
  const track = (params: unknown): void => {
    const { action = 'pageview', ...details } = toDetails(params);
    const { data } = details;
    if (action === 'pageview') views.report(fill(details));
    else if (action === 'conversion') convert(data?._conversion_type, data?._conversion_label, details);
    else if (ACTIONS.includes(action)) report(action, details);
    else report('custom', { ...details, data: { ...data, what: action } });
  };
  const all: Functions['all'] = {
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
    setConsent: around.setConsent,
    onStart(call) {
      // In a task of its own: what the page's functions throw is the page's.
      if (typeof call === 'function') around.ready.then(() => setTimeout(() => call()));
    },
    'beacon.trackPageView': track,
    'beacon.pixel.beacon': track,
    ...conversionFunctions(convert),
    'video.trackPlay'(id, metadata, url) {
      around.onVideo(videos);
      videos.play(id, metadata, url);
    },
    'video.trackPause': videos.pause,
    'video.reset': videos.reset,
    'video.detectVideos': () => undefined,
    'video.addStrategy': () => undefined,
  };
  return { views, videos, complete, all };
}
