// Ranking factor: what the readers of the site read most now, where the popularity dial asks for it.

import { defineFactor, NO_EFFECT } from './factor.ts';

export const popularity = defineFactor({
  name: 'popularity',
  description: 'At least 1: read most now, as the popularity dial asks.',
  cost: 'cheap',
  isDialled: true,
  gains: { popularity: 2 },
  fitted: {},
  of({ dials, popular }, gains) {
    if (popular.size === 0) return NO_EFFECT;
    const gain = gains.popularity * dials.popularity;
    return { of: (number) => 1 + gain * (popular.get(number) ?? 0), max: 1 + gain };
  },
});
