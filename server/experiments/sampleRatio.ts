// Whether variants get the readers they should: where they do not, something loses readers of a variant, and no figure
// of the experiment is to be believed.

/** Probability, over all looks, of an alarm where assignment is right. */
export const SAMPLE_RATIO_ALPHA = 0.001;

/** How close to the intended shares a wrong assignment is expected: about half a point of a hundred. */
const CONCENTRATION = 10_000;

/**
 * Evidence (an e-process, to be looked at any time) against "readers come in the intended shares": a Dirichlet mixture
 * of multinomials; of two variants, a beta-binomial one. Source: M. Lindon, A. Malek, Anytime-valid inference for
 * multinomial count data, NeurIPS 2022.
 * @param counts Readers of each variant.
 * @param shares The intended ones, each above 0, in any unit.
 * @param concentration Of the Dirichlet distribution around the shares.
 */
export function sampleRatioEvidence(
  counts: readonly number[],
  shares: readonly number[],
  concentration: number = CONCENTRATION,
): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const log = counts.reduce((sum, count, variant) => {
    const share = (shares[variant] ?? 0) / whole;
    return sum + logRising(concentration * share, count) - count * Math.log(share);
  }, -logRising(concentration, total));
  return Math.exp(Math.min(log, 700));
}

/** Logarithm of a · (a + 1) · … · (a + count - 1). */
const logRising = (a: number, count: number): number => logGamma(a + count) - logGamma(a);

/** Stirling's series, after a shift to where five terms give the precision of a double. */
export function logGamma(value: number): number {
  let x = value;
  let shift = 0;
  for (; x < 12; x++) shift += Math.log(x);
  const inverse = 1 / (x * x);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / x;
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series - shift;
}
