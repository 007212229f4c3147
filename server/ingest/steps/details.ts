// Fields of single kinds of events: seconds, video, conversion, share.
import { CONVERSION_TYPES } from '../../contract/conversions.ts';
import { MAX_INC, MAX_URL_LENGTH, MIN_INC } from '../../contract/limits.ts';
import type { Action } from '../../contract/wire.ts';
import { canonicalUrl } from '../../posts/canonicalUrl.ts';
import { cutName, type ParsedEvent, text, withoutNul } from '../parseEvent.ts';

export const ACTIONS: readonly Action[] = [
  'pageview',
  'heartbeat',
  'videostart',
  'vheartbeat',
  'conversion',
  'share',
  'custom',
  'list',
];

const NETWORKS: readonly string[] = ['fb', 'tw', 'li', 'pi'];
const CONVERSIONS: readonly string[] = CONVERSION_TYPES;
const MAX_LABEL = 200;

/** Whole seconds of a heartbeat; undefined where it has none, or more than an hour. */
export function engagedSeconds(inc: number | undefined): number | undefined {
  if (inc === undefined || inc < MIN_INC || inc > MAX_INC) return undefined;
  return Math.round(inc);
}

/** The video's canonical URL, or its id; without either, the page it is on. */
export function videoOf(event: ParsedEvent, page: string): string {
  const link = text(event.metadata?.link, MAX_URL_LENGTH);
  return link === undefined ? page : (canonicalUrl(link) ?? (withoutNul(link) || page));
}

/** "" for a network that is not counted; the event is a share nevertheless. */
export function networkOf(event: ParsedEvent): string {
  const network = text(event.data?.network) ?? '';
  return NETWORKS.includes(network) ? network : '';
}

/** A type of the publisher's own is `custom`. */
export function conversionTypeOf(event: ParsedEvent): string {
  const type = text(event.data?._conversion_type) ?? '';
  return CONVERSIONS.includes(type) ? type : 'custom';
}

export function conversionLabelOf(event: ParsedEvent): string {
  return cutName(withoutNul(text(event.data?._conversion_label) ?? ''), MAX_LABEL);
}
