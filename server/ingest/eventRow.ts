// One event as it is stored: everything about it is classified once, when it comes in.

import type { ReferrerCategory } from '../contract/referrers.ts';
import type { Action, ItemSource, ListReport } from '../contract/wire.ts';
import type { SiteId } from '../sites/site.ts';
import type { EventKey } from './dedupe/eventKey.ts';

export type Channel = 'website' | 'amp' | 'apln-rta' | 'fbia';
export type Device = 'desktop' | 'mobile' | 'tablet';

/** A reported list as it is stored: posts by their canonical URLs, and nothing left to a default. */
export type ListRow = Complete<Omit<ListReport, 'seen' | 'clicked' | Measured>> &
  Pick<ListReport, Measured> & { items: ListRowItem[] };

/** Of a list as it is stored: that an item was seen, and how often it was clicked. */
export interface ListRowItem {
  /** From 1. */
  position: number;
  post: string;
  source: ItemSource;
  seen: boolean;
  clicks: number;
  /** 0: none are compared. */
  alternative: number;
}

/** Left out where a page measured nothing. */
type Measured = 'shift' | 'errors';

type Complete<T> = { [Field in keyof T]-?: Exclude<T[Field], undefined> };

/** Text fields are "" where the event has no value. */
export interface EventRow {
  site: SiteId;
  action: Action;
  /** Epoch milliseconds. */
  time: number;
  /** `YYYY-MM-DD` in the site's time zone. */
  day: string;
  /** Canonical URL of the page as seen; an alias is resolved when traffic is read. */
  url: string;
  /** 64-bit hash of the visitor id, as decimal text; "0" for none. */
  visitor: string;
  /** Engaged or watched seconds of a heartbeat, else 0. */
  seconds: number;
  /** URL of the video, for video events. */
  video: string;
  /** The finest class; the type that clients know follows from it. */
  referrerType: ReferrerCategory;
  /** Brand of a known referrer, else the host without `www.`; "" for direct. */
  referrer: string;
  /** The very host without `www.`, or the Android package; "" for direct, and where only the name is known. */
  referrerHost: string;
  /** Canonical URL of the site's own page the visitor came from, for internal referrers. */
  referrerUrl: string;
  campaignId: string;
  campaignMedium: string;
  campaignSource: string;
  campaignContent: string;
  campaignTerm: string;
  channel: Channel;
  device: Device;
  segments: string[];
  /** `fb|tw|li|pi`, for shares. */
  network: string;
  conversionType: string;
  conversionLabel: string;
  /** What the page reported of its lists; of events about lists only. */
  lists?: readonly ListRow[] | undefined;
  /** Equal for an event that is sent again; absent: repetitions cannot be recognized. */
  key?: EventKey | undefined;
}

/** A page view with empty fields, to be filled in. */
export function blankRow(site: SiteId, url = ''): EventRow {
  return {
    site,
    action: 'pageview',
    time: 0,
    day: '',
    url,
    visitor: '0',
    seconds: 0,
    video: '',
    referrerType: 'direct',
    referrer: '',
    referrerHost: '',
    referrerUrl: '',
    campaignId: '',
    campaignMedium: '',
    campaignSource: '',
    campaignContent: '',
    campaignTerm: '',
    channel: 'website',
    device: 'desktop',
    segments: [],
    network: '',
    conversionType: '',
    conversionLabel: '',
    key: undefined,
  };
}
