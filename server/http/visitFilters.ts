// Parameters that filter traffic by segment, channel, device and campaign.
import { DEVICES } from '../traffic/metrics.ts';
import { CAMPAIGN_KEYS, type FacetFilter, type Scope } from '../traffic/scope.ts';
import { oneOf, text } from './params.ts';

export const visitFilterParams = {
  segment: text('Views by visitors of this segment.').optional(),
  channel: oneOf(['website', 'apln-rta', 'amp', 'fbia'], 'Views through this channel.').optional(),
  device: oneOf(DEVICES, 'Views on devices of this kind.').optional(),
  campaign_id: text('Views from this campaign.').optional(),
  campaign_medium: text('Views from campaigns with this medium.').optional(),
  campaign_source: text('Views from campaigns with this source.').optional(),
  campaign_content: text('Views from campaigns with this content.').optional(),
  campaign_term: text('Views from campaigns with this term.').optional(),
};

export type VisitFilterParams = Partial<
  Record<'segment' | `campaign_${(typeof CAMPAIGN_KEYS)[number]}`, string | undefined>
> & {
  channel?: Scope['channel'];
  device?: Scope['device'];
};

const FACET_PARAMS = ['segment', ...CAMPAIGN_KEYS.map((key) => `campaign_${key}` as const)] as const;

/** The corresponding part of a scope. */
export function visitFiltersOf(params: VisitFilterParams): Pick<Scope, 'channel' | 'device' | 'facets'> {
  const facets = FACET_PARAMS.flatMap((name): FacetFilter[] => {
    const value = params[name];
    return value === undefined ? [] : [{ facets: [name], values: [value] }];
  });
  return { channel: params.channel, device: params.device, facets };
}
