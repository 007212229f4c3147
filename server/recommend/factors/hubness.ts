// Ranking factor: hubness. A post whose nearest posts are all very close is a hub, close to whatever is asked; where
// two are as close to the page, the one for which that is more than usual stands first (local scaling, as in Schnitzer
// et al., "Local and global scaling reduce hubs in space").

import { LEAST_NEARNESS } from '../../textindex/survey.ts';
import { defineFactor } from './factor.ts';

export const hubness = defineFactor({
  name: 'hubness',
  description: 'Below 1 for a post that many others are close to, above 1 for one that few are.',
  cost: 'cheap',
  gains: { hubnessPower: 0.4 },
  fitted: { hubnessPower: 'power' },
  of({ index, post }, gains) {
    if (post < 0) return undefined;
    const { nearness } = index.catalogue;
    // Of most posts nothing is known, and to raise to a power takes time.
    const of = (number: number) => (nearness[number] === 1 ? 1 : nearness[number]! ** -gains.hubnessPower);
    return { of, max: LEAST_NEARNESS ** -gains.hubnessPower, bound: of };
  },
});
