// A ranking factor: what a post's closeness in words is multiplied by, for one reason. Products, not sums: they carry
// over from site to site. Each factor is one file with one value of this type, listed in `index.ts`; the scorer, its
// upper bounds, `explain`, its schema and the fit read the list.

import { areReadersAlone, type Query } from '../query.ts';

/**
 * What a factor says of the posts of one query. A post's effect depends on that post alone, never on the other
 * candidates.
 */
export interface Effect {
  /** By number of post. */
  readonly of: (number: number) => number;
  /** Upper bound of `of` over all posts. */
  readonly max: number;
  /**
   * Upper bound of `of` for one post, where that is tighter than `max` and cheap; of a factor that reads posts, where
   * it reads less. It holds but for rounding.
   */
  readonly bound?: (number: number) => number;
}

export const NO_EFFECT: Effect = { of: () => 1, max: 1 };

export interface Factor<Gains extends Readonly<Record<string, number>> = Readonly<Record<string, number>>> {
  /** Its key in `parts` of `explain`. */
  readonly name: string;
  /** One sentence for the schema of `explain`. */
  readonly description: string;
  /**
   * `cheap`: computed from the catalogue, for every candidate that may be next. `reads`: reads the post's terms, so it
   * is computed only for posts whose upper bound is the highest.
   */
  readonly cost: 'cheap' | 'reads';
  /** Whether it is what a dial asks for, so that it counts where readers decide alone. Default: false. */
  isDialled?: true;
  /** Its parameters, with their defaults. A request may name others. */
  readonly gains: Gains;
  /** Parameters that are fitted to links between articles: the effect is 1 + gain × what is found, or it ^ power. */
  readonly fitted: { readonly [Gain in keyof Gains]?: 'gain' | 'power' };
  /** @returns undefined where the factor does not apply to the query; it is left out of `explain` then. */
  of(query: Query, gains: Gains): Effect | undefined;
}

/** A factor whose gains' names are checked. */
export const defineFactor = <Gains extends Readonly<Record<string, number>>>(factor: Factor<Gains>): Factor<Gains> =>
  factor;

/** The effect of a factor in a query, with the gains of its request. */
export function effectOf(factor: Factor, query: Query): Effect | undefined {
  if (areReadersAlone(query) && !factor.isDialled) return undefined;
  return factor.of(query, { ...factor.gains, ...query.gains });
}
