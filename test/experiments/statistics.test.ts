// The statistics of experiments against published values, and the laws that make a test valid at any look.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gaussian, seeded } from '../../demo/world/random.ts';
import { firstWhere, normalCdf } from '../../server/experiments/normal.ts';
import { addReader, differenceError, NOTHING, rateOf } from '../../server/experiments/ratio.ts';
import { logGamma, sampleRatioEvidence } from '../../server/experiments/sampleRatio.ts';
import {
  boundaryOf,
  crossingProbability,
  logNormalMixture,
  sequentialTest,
} from '../../server/experiments/sequentialTest.ts';
import { decayed, finalChances, thompsonShares } from '../../server/experiments/thompson.ts';
import '../support/seed.ts';

const density = (z: number) => Math.exp(-z * z * 0.5) / Math.sqrt(2 * Math.PI);

/** Mean of a function of a standard normal value. */
function meanOf(of: (z: number) => number): number {
  const step = 0.005;
  let sum = 0;
  for (let z = -12; z <= 12; z += step) sum += of(z) * density(z) * step;
  return sum;
}

describe('published values', () => {
  test.each([
    [0, 0.5],
    [1, 0.841344746068543],
    [1.959963984540054, 0.975],
    [-3, 0.00134989803163],
    [6, 0.999999999013412],
    [-9, 0],
  ])('the normal distribution at %d is %d', (z, expected) => {
    expect(normalCdf(z)).toBeCloseTo(expected, 13);
  });

  test.each([
    [0.5, 0.5723649429247001],
    [1, 0],
    [10, 12.801827480081469],
    [100, 359.1342053695754],
  ])('the logarithm of the gamma function at %d is %d', (x, expected) => {
    expect(logGamma(x)).toBeCloseTo(expected, 10);
  });

  test.each([
    [0.1, 1.96],
    [0.05, 2.2414],
    [0.01, 2.807],
  ])('a Brownian motion leaves its boundary by time 1 with a probability of %d at %d', (probability, boundary) => {
    expect(boundaryOf(probability)).toBeCloseTo(boundary, 3);
  });

  // S. Howard and others, the package confseq: two-sided normal mixture, best at 100 for 5 %.
  test('the mixture is that of the package confseq', () => {
    const scale = 12.60056;
    expect(logNormalMixture(10, 100, scale)).toBeCloseTo(-0.6510052, 6);
    const bound = firstWhere((sum) => logNormalMixture(sum, 100, scale) >= Math.log(20), 0, 100);
    expect(bound).toBeCloseTo(30.35209, 4);
  });

  // D. MacKay, Information Theory, Inference, and Learning Algorithms, 2003, chapter 3: 141 heads of 250.
  test('a coin that fell 141 times of 250 on one side is evidence of 0.61 against a fair one', () => {
    expect(sampleRatioEvidence([141, 109], [1, 1], 2)).toBeCloseTo(0.61, 2);
  });
});

describe('a test that is looked at any time', () => {
  test.each([0.05, 0.01, 0.05 / 9])(
    'evidence at a level of %d is 1 on average where there is no difference',
    (alpha) => {
      const { evidence } = sequentialTest(alpha);
      for (const fraction of [0.001, 0.01, 0.1, 0.5, 0.9, 1, 1.5]) {
        const mean = meanOf((z) => evidence(z, fraction));
        expect(mean).toBeLessThanOrEqual(1 + 1e-6);
        if (fraction <= 0.1) expect(mean).toBeGreaterThan(0.999);
      }
    },
  );

  test('the probability of a crossing is the mean of what it becomes', () => {
    const boundary = 2.2414;
    const step = 0.3;
    for (const [from, time] of [
      [0, 0],
      [1, 0.2],
      [-1.8, 0.6],
    ] as const) {
      const next = meanOf((z) => crossingProbability(boundary, from + z * Math.sqrt(step), time + step));
      // What crosses and comes back between the two times counts in the first one only.
      expect(next).toBeLessThanOrEqual(crossingProbability(boundary, from, time) + 1e-9);
      expect(next).toBeGreaterThan(crossingProbability(boundary, from, time) / 2);
    }
  });

  test('at most 5 of 100 walks without a difference are ever decided, and nearly so many', () => {
    const random = seeded('walks');
    const { criticalZ } = sequentialTest();
    const looks = 200;
    const runs = 4_000;
    let decided = 0;
    for (let run = 0; run < runs; run++) {
      let sum = 0;
      for (let look = 1; look <= looks; look++) {
        sum += gaussian(random);
        if (Math.abs(sum) / Math.sqrt(look) < criticalZ(look / looks)) continue;
        decided++;
        break;
      }
    }
    expect(decided / runs).toBeLessThanOrEqual(0.05);
    expect(decided / runs).toBeGreaterThan(0.03);
  });

  test('a difference is decided exactly where its interval leaves out 0', () => {
    const alpha = 0.05;
    const { evidence, criticalZ } = sequentialTest(alpha);
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 3, noNaN: true }),
        fc.double({ min: -8, max: 8, noNaN: true }),
        (fraction, z) => {
          fc.pre(Math.abs(Math.abs(z) - criticalZ(fraction)) > 1e-6);
          expect(evidence(z, fraction) >= 1 / alpha).toBe(Math.abs(z) > criticalZ(fraction));
          expect(evidence(-z, fraction)).toBe(evidence(z, fraction));
        },
      ),
    );
  });

  test('larger differences are more evidence', () => {
    const { evidence } = sequentialTest();
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 2, noNaN: true }),
        fc.double({ min: 0, max: 12, noNaN: true }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        (fraction, z, more) => {
          expect(evidence(z + more, fraction)).toBeGreaterThanOrEqual(evidence(z, fraction) * (1 - 1e-9));
        },
      ),
    );
  });
});

describe('the sample ratio', () => {
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

  test('evidence is 1 on average where readers come in the intended shares', () => {
    const shares = [50, 30, 20];
    const total = 9;
    let mean = 0;
    for (let first = 0; first <= total; first++)
      for (let second = 0; second <= total - first; second++) {
        const counts = [first, second, total - first - second];
        const ways = factorial(total) / counts.reduce((product, one) => product * factorial(one), 1);
        const probability = counts.reduce((product, one, at) => product * (shares[at]! / 100) ** one, ways);
        mean += probability * sampleRatioEvidence(counts, shares, 10);
      }
    expect(mean).toBeCloseTo(1, 10);
  });

  test('a loss of one reader of twenty is found within 40,000 readers, and even shares are no evidence', () => {
    expect(sampleRatioEvidence([20_000, 19_000], [50, 50])).toBeGreaterThan(1_000);
    expect(sampleRatioEvidence([10_000, 10_050], [50, 50])).toBeLessThan(1);
    expect(sampleRatioEvidence([90_000, 10_000], [90, 10])).toBeLessThan(1);
    expect(sampleRatioEvidence([1_000_000, 0], [50, 50])).toBeGreaterThan(1e100);
    expect(sampleRatioEvidence([0, 0], [50, 50])).toBe(1);
  });
});

describe('a rate with readers as units', () => {
  const values = fc.array(fc.nat(5), { minLength: 2, maxLength: 40 });
  const sumsOf = (of: readonly (readonly [x: number, y: number])[]) => {
    const sums = { ...NOTHING };
    for (const [x, y] of of) addReader(sums, x, y);
    return { readers: of.length, sums };
  };

  test('with one list a reader, the error is that of two means of equal spread', () => {
    fc.assert(
      fc.property(values, values, (one, other) => {
        const all = [...one, ...other];
        const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
        const squares = all.reduce((sum, value) => sum + (value - mean) ** 2, 0);
        const [a, b] = [one, other].map((some) => sumsOf(some.map((value) => [value, 1])));
        const expected = Math.sqrt((squares / (all.length - 2)) * (1 / one.length + 1 / other.length));
        expect(differenceError(a!, b!)).toBeCloseTo(expected, 9);
        expect(rateOf(a!.sums)).toBeCloseTo(one.reduce((sum, value) => sum + value, 0) / one.length, 12);
      }),
    );
  });

  test('of 10,000 readers each, whose rates are 3 %, it is the square root of 2 · 0.03 · 0.97 / 10,000', () => {
    const sums = { x: 300, y: 10_000, xx: 300, xy: 300, yy: 10_000 };
    const sample = { readers: 10_000, sums };
    expect(differenceError(sample, sample)).toBeCloseTo(Math.sqrt((2 * 0.03 * 0.97) / 10_000), 6);
  });

  test('lists of one reader that are all clicked or none make it larger than lists of many readers', () => {
    const alike = sumsOf(Array.from({ length: 100 }, (_, at) => [at % 10 === 0 ? 5 : 0, 5] as const));
    const apart = sumsOf(Array.from({ length: 500 }, (_, at) => [at % 10 === 0 ? 1 : 0, 1] as const));
    expect(rateOf(alike.sums)).toBe(rateOf(apart.sums));
    expect(differenceError(alike, alike) / differenceError(apart, apart)).toBeCloseTo(Math.sqrt(5), 1);
  });

  test('no reader says nothing', () => {
    const none = { readers: 0, sums: NOTHING };
    expect(rateOf(NOTHING)).toBe(0);
    expect(differenceError(none, sumsOf([[1, 1]]))).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('Thompson sampling', () => {
  /** Probability that one beta distribution with whole parameters is above another one, as a finite sum. */
  function isAbove(a: { a: number; b: number }, b: { a: number; b: number }): number {
    const logBeta = (x: number, y: number) => logGamma(x) + logGamma(y) - logGamma(x + y);
    let sum = 0;
    for (let i = 0; i < a.a; i++)
      sum += Math.exp(logBeta(b.a + i, a.b + b.b) - Math.log(a.b + i) - logBeta(1 + i, a.b) - logBeta(b.a, b.b));
    return sum;
  }

  const arm = fc
    .tuple(fc.integer({ min: 0, max: 3000 }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([shown, rate]) => ({ shown, successes: Math.floor(shown * rate ** 3) }));

  test('the share of one of two is the probability that its rate is higher', () => {
    fc.assert(
      fc.property(arm, arm, (one, other) => {
        const beta = ({ shown, successes }: typeof one) => ({ a: 1 + successes, b: 1 + shown - successes });
        expect(thompsonShares([one, other])[0]).toBeCloseTo(isAbove(beta(one), beta(other)), 2);
      }),
    );
  });

  test('shares add up to 1, and those of equal alternatives are equal', () => {
    fc.assert(
      fc.property(fc.array(arm, { minLength: 2, maxLength: 10 }), (arms) => {
        expect(thompsonShares(arms).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      }),
    );
    for (const share of thompsonShares(Array.from({ length: 10 }, () => ({ shown: 500, successes: 20 }))))
      expect(share).toBeCloseTo(0.1, 3);
  });

  test('at the end an alternative is not better for having been shown less', () => {
    const arms = [
      { shown: 600, successes: 18 },
      { shown: 20, successes: 0 },
    ];
    expect(thompsonShares(arms)[1]).toBeGreaterThan(0.5);
    expect(finalChances(arms)![1]).toBeLessThan(0.5);
    expect(finalChances([arms[1]!, arms[1]!])).toBeUndefined();
  });

  test('at the end one that was never shown has the rate of all, with the weight of one success', () => {
    // It is above that rate with a probability of (1 - 0.05) to the power of 1 / 0.05 - 1.
    const [shown, never] = finalChances([
      { shown: 1_000_000, successes: 50_000 },
      { shown: 0, successes: 0 },
    ])!;
    expect(never).toBeCloseTo(0.95 ** 19, 2);
    expect(shown).toBeCloseTo(1 - 0.95 ** 19, 2);
  });

  test('counts are worth half after their half-life', () => {
    expect(decayed({ shown: 80, successes: 4 }, 24, 24)).toEqual({ shown: 40, successes: 2 });
    expect(decayed({ shown: 80, successes: 4 }, 0, 24)).toEqual({ shown: 80, successes: 4 });
  });
});
