// Measures and facets in the words of one event: the same meaning the roll-ups have, for the edges of a period.
import type { Measure } from './metrics.ts';
import { categoryOf, type Facet } from './scope.ts';

/** Whether events are added, or taken off because a roll-up holds them too. */
export type Sign = '' | '-';
/** The same where it depends on the event: a factor. */
export type SignOfEvent = Sign | `if(${string}, -1, 1) * `;

const VIEW = `action = 'pageview'`;

/** Condition on an event by which a visitor counts. */
export const SEEN = `${VIEW} AND visitor != 0`;
const referredBy = (...brands: string[]) =>
  `${VIEW} AND referrer_type = 'social' AND referrer IN (${brands.map((brand) => `'${brand}'`).join(', ')})`;
const sharedOn = (network: string) => `action = 'share' AND network = '${network}'`;

const MEASURES: Record<Exclude<Measure, 'recirculated'>, string> = {
  views: VIEW,
  desktop_views: `${VIEW} AND device = 'desktop'`,
  mobile_views: `${VIEW} AND device = 'mobile'`,
  tablet_views: `${VIEW} AND device = 'tablet'`,
  engaged_seconds: `if(action = 'heartbeat', seconds, 0)`,
  engaged_seconds_new: `if(action = 'heartbeat' AND is_new, seconds, 0)`,
  engaged_seconds_returning: `if(action = 'heartbeat' AND visitor != 0 AND NOT is_new, seconds, 0)`,
  social_referrals: `${VIEW} AND referrer_type = 'social'`,
  search_refs: `${VIEW} AND referrer_type = 'search'`,
  fb_referrals: referredBy('facebook'),
  tw_referrals: referredBy('twitter', 'x'),
  li_referrals: referredBy('linkedin'),
  pi_referrals: referredBy('pinterest'),
  fb_interactions: sharedOn('fb'),
  tw_interactions: sharedOn('tw'),
  li_interactions: sharedOn('li'),
  pi_interactions: sharedOn('pi'),
};

/** Events that say something about a page. */
export const ABOUT_PAGES = `action IN ('pageview', 'heartbeat', 'share')`;

/** Condition: events with an action that these measures count. `recirculated` counts others: `LED_ON`. */
export function actionsOf(measures: readonly Measure[]): string {
  const actions = new Set(measures.map(actionOf));
  return `action IN (${[...actions].map((action) => `'${action}'`).join(', ')})`;
}

/** Whether `actionsOf` lets in page views and nothing else. */
export const countOnlyViews = (measures: readonly Measure[]): boolean =>
  measures.every((measure) => actionOf(measure) === 'pageview');

function actionOf(measure: Measure): 'pageview' | 'heartbeat' | 'share' {
  if (measure.startsWith('engaged_seconds')) return 'heartbeat';
  return measure.endsWith('_interactions') ? 'share' : 'pageview';
}

/** A page view that led on from the page of its referrer. */
export const LED_ON = `action = 'pageview' AND referrer_type = 'internal' AND referrer_post NOT IN (0, events.post)`;

/**
 * How much one event adds to a measure; or takes off. Where `needsNew` says so, the statement must define `is_new`.
 * @param areViews Whether only page views are read: their action is not read again. Default: no.
 */
export function measureOfEvent(measure: Measure, sign: SignOfEvent, areViews = false): string {
  const counted = measure === 'recirculated' ? '0' : MEASURES[measure];
  return `${sign}toInt64(${areViews && counted === VIEW ? '1' : counted}) AS ${measure}`;
}

export const needsNew = (measures: readonly Measure[]): boolean =>
  measures.includes('engaged_seconds_new') || measures.includes('engaged_seconds_returning');

/** An event's values of some facets: an array of pairs (facet, value). Of referrer types an event has one at most. */
export function valuesOfEvent(facets: readonly Facet[]): string {
  const types = facets
    .map(categoryOf)
    .filter((category) => category !== undefined)
    .map((category) => `'${category}'`);
  const referrers =
    types.length === 0
      ? []
      : [
          `if(referrer_type IN (${types.join(', ')}), [(concat('referrer_', toString(referrer_type)), toString(referrer))], [])`,
        ];
  const arrays = [...facets.filter((facet) => !facet.startsWith('referrer_')).map(valuesOf), ...referrers];
  return arrays.length === 1 ? arrays[0]! : `arrayConcat(${arrays.join(', ')})`;
}

function valuesOf(facet: Facet): string {
  if (facet === 'segment') return `arrayMap(segment -> ('segment', toString(segment)), arrayDistinct(segments))`;
  if (facet === 'channel') return `[('channel', toString(channel))]`;
  return `if(${facet} = '', [], [('${facet}', toString(${facet}))])`;
}

/** Values that are asked for. */
export interface Among {
  /** Placeholder of an array of the values. */
  values: string;
  /** Condition on an array column: one of the values is in it. */
  inArray(column: string): string;
  /** Condition on the columns of a referrer's name and host. */
  ofReferrer(name: string, host: string): string;
}

/** Whether an event has one of these facets, with one of the values that are asked or with any. */
export function eventHas(facets: readonly Facet[], among: Among | undefined): string {
  return `(${facets.map((facet) => hasFacet(facet, among)).join(' OR ')})`;
}

function hasFacet(facet: Facet, among: Among | undefined): string {
  if (facet === 'segment') return among ? among.inArray('segments') : 'notEmpty(segments)';
  if (facet === 'channel') return among ? `channel IN ${among.values}` : '1';
  if (facet.startsWith('campaign_')) return among ? `${facet} IN ${among.values}` : `${facet} != ''`;
  const type = `referrer_type = '${facet.slice('referrer_'.length)}'`;
  return among ? `(${type} AND ${among.ofReferrer('referrer', 'referrer_host')})` : type;
}
