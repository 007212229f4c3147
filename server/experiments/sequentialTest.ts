// An always-valid test of a difference: it may be looked at after each reader, and stopped at any look, and in at most
// `alpha` of tests without a difference it ever says that there is one.
//
// Evidence is an e-process: a value that starts at 1 and whose mean stays at most 1 while there is no difference,
// whenever it is looked at. By Ville's inequality it ever reaches 1 / alpha with a probability of at most alpha. Ours
// is the weighted mean of two e-processes, which is one as well (V. Vovk, R. Wang, E-values: calibration, combination
// and applications, Annals of Statistics 49(3), 2021):
//
// * A mixture SPRT with a normal mixture: H. Robbins, Statistical methods related to the law of the iterated logarithm,
//   Annals of Mathematical Statistics 41(5), 1970; for A/B tests: R. Johari, P. Koomen, L. Pekelis, D. Walsh, Always
//   valid inference, Operations Research 70(3), 2022. It finds large differences early and has no end.
// * The probability, given what was seen, that a Brownian motion reaches a constant boundary before the planned number
//   of readers: the continuous O'Brien–Fleming test (P. O'Brien, T. Fleming, A multiple testing procedure for clinical
//   trials, Biometrics 35(3), 1979). It has nearly the power of a fixed-size test at the planned number, where the
//   mixture alone loses a third of it; beyond that number it is 0.
//
// Differences of means count as normal, which holds for many readers: I. Waudby-Smith and others, Time-uniform central
// limit theory and asymptotic confidence sequences, Annals of Statistics 52(6), 2024.
import { firstWhere, normalCdf } from './normal.ts';

/** Share of false decisions that is accepted, over all looks. */
export const ALPHA = 0.05;

/** Weight of the test that ends at the planned number of readers; the mixture has the rest. */
const PLANNED_WEIGHT = 0.9;

/** Scale of the mixture: it finds most where a tenth of the planned readers has come. */
const MIXTURE_SCALE = 0.0077;

/** No evidence is larger than that of a difference of so many standard errors. */
const LARGEST_Z = 40;

/**
 * Natural logarithm of a normal mixture SPRT.
 * @param sum Value of a Brownian motion.
 * @param time Its time, above 0.
 * @param scale ρ of the mixture: small ones find differences early.
 */
export const logNormalMixture = (sum: number, time: number, scale: number): number =>
  (Math.log(scale / (time + scale)) + (sum * sum) / (time + scale)) / 2;

/**
 * Probability that a Brownian motion leaves (-boundary, boundary) by time 1.
 * @param from Its value now.
 * @param time Time of that value, 0 to 1.
 */
export function crossingProbability(boundary: number, from = 0, time = 0): number {
  if (Math.abs(from) >= boundary) return 1;
  if (time >= 1) return 0;
  const spread = Math.sqrt(1 - time);
  // Reflections at both boundaries; those beyond the second one are less than 1e-15.
  let stays = 0;
  for (let reflection = -2; reflection <= 2; reflection++) {
    const above = normalCdf((boundary * (2 * reflection + 1) - from) / spread);
    const below = normalCdf((boundary * (2 * reflection - 1) - from) / spread);
    stays += reflection % 2 === 0 ? above - below : below - above;
  }
  return Math.min(1, Math.max(0, 1 - stays));
}

/** The boundary that a Brownian motion reaches by time 1 with a given probability. */
export const boundaryOf = (probability: number): number =>
  firstWhere((boundary) => crossingProbability(boundary) <= probability, 0.5, 10);

export interface SequentialTest {
  /**
   * Evidence against "there is no difference"; from 1 / alpha on it is decided.
   * @param z Difference divided by its standard error.
   * @param fraction Readers so far, as a share of the planned ones.
   */
  evidence(z: number, fraction: number): number;
  /** Differences of so many standard errors are decided at this look; the interval has this half-width. */
  criticalZ(fraction: number): number;
}

/** @param alpha Probability, over all looks, of a decision where there is no difference. */
export function sequentialTest(alpha: number = ALPHA): SequentialTest {
  const boundary = boundaryOf(PLANNED_WEIGHT * alpha);
  function evidence(z: number, fraction: number): number {
    if (fraction <= 0) return 1;
    const sum = Math.min(Math.abs(z), LARGEST_Z) * Math.sqrt(fraction);
    const planned = fraction > 1 ? 0 : crossingProbability(boundary, sum, fraction) / alpha;
    const mixture = (1 - PLANNED_WEIGHT) * Math.exp(logNormalMixture(sum, fraction, MIXTURE_SCALE));
    return planned + mixture;
  }
  const known = new Map<number, number>();
  function criticalZ(fraction: number): number {
    if (fraction <= 0) return Number.POSITIVE_INFINITY;
    const found = known.get(fraction) ?? firstWhere((z) => evidence(z, fraction) >= 1 / alpha, 0, LARGEST_Z);
    known.set(fraction, found);
    return found;
  }
  return { evidence, criticalZ };
}
