// What the counts of an experiment say, in words: who leads, by how much, how sure that is, what to do.
import { describe, expect, test } from 'vitest';
import { type AnalysisPlan, analyse, type VariantCounts } from '../../server/experiments/analyse.ts';
import type { RatioSums } from '../../server/experiments/ratio.ts';
import { verdictOf } from '../../server/experiments/verdict.ts';

const plan = (of: Partial<AnalysisPlan> = {}): AnalysisPlan => ({
  goal: 'clicks',
  readers: 20_000,
  variants: [
    { name: 'control', share: 50 },
    { name: 'grid', share: 50 },
  ],
  ...of,
});

interface Behaviour {
  readers: number;
  clicks: number;
  /** Default: half of the clicks. */
  quality?: number;
  /** Default: 1.5 for each reader. */
  views?: number;
  bounces?: number;
  /** Sum over one page view of each. Default: 0. */
  shift?: number;
  /** By which a page moves that does. Default: 0.1. */
  step?: number;
  /** Default: 0. */
  errors?: number;
}

/** Readers who see one list each, and click it once or not at all. */
function counts({
  readers,
  clicks,
  quality = clicks / 2,
  views = readers * 1.5,
  bounces = readers / 2,
  shift = 0,
  step = 0.1,
  errors = 0,
}: Behaviour): VariantCounts {
  const yesOrNo = (x: number): RatioSums => ({ x, y: readers, xx: x, xy: x, yy: readers });
  const spread = readers * 0.5;
  return {
    readers,
    sums: {
      clicks: yesOrNo(clicks),
      quality_clicks: yesOrNo(quality),
      views: { x: views, y: readers, xx: (views * views) / readers + spread, xy: views, yy: readers },
      bounces: yesOrNo(bounces),
      layout_shift: { x: shift, y: readers, xx: shift * step, xy: shift, yy: readers },
      errors: yesOrNo(errors),
    },
  };
}

const judge = (of: AnalysisPlan, ...variants: Behaviour[]) => verdictOf(of, analyse(of, variants.map(counts)));

test('a lead that is not sure yet: let it run', () => {
  expect(judge(plan(), { readers: 5_000, clicks: 150 }, { readers: 5_000, clicks: 170 })).toMatchInlineSnapshot(`
    {
      "is": "wait",
      "lines": [
        "grid leads: clicks a list 3.40% against 3.00% of control, 0.40 points more (-0.70 to 1.50, whenever one looks).",
        "This is not decided: 10,000 of 20,000 planned readers came.",
        "Let it run.",
      ],
    }
  `);
});

test('equal rates: no one leads', () => {
  const [first] = judge(plan(), { readers: 5_000, clicks: 150 }, { readers: 5_000, clicks: 150 }).lines;
  expect(first).toMatch(/^grid is level with control: clicks a list 3.00% against 3.00% of control, 0.00 points more/);
});

test('a large lead is decided early', () => {
  expect(judge(plan(), { readers: 3_000, clicks: 90 }, { readers: 3_000, clicks: 180 })).toMatchInlineSnapshot(`
    {
      "is": "wins",
      "lines": [
        "grid wins: clicks a list 6.00% against 3.00% of control, 3.00 points more (1.12 to 4.88, whenever one looks).",
        "Without a difference, at most 1 of 70,431 experiments would ever look like this.",
        "Give grid to all readers, then stop the experiment.",
      ],
      "variant": "grid",
    }
  `);
});

test('a smaller one at the planned number of readers', () => {
  expect(judge(plan(), { readers: 10_000, clicks: 300 }, { readers: 10_000, clicks: 365 })).toMatchInlineSnapshot(`
    {
      "is": "wins",
      "lines": [
        "grid wins: clicks a list 3.65% against 3.00% of control, 0.65 points more (0.07 to 1.23, whenever one looks).",
        "Without a difference, at most 1 of 20 experiments would ever look like this.",
        "Give grid to all readers, then stop the experiment.",
      ],
      "variant": "grid",
    }
  `);
});

test('no difference at the planned number of readers: keep the control', () => {
  expect(judge(plan(), { readers: 10_000, clicks: 300 }, { readers: 10_000, clicks: 310 })).toMatchInlineSnapshot(`
    {
      "is": "none",
      "lines": [
        "grid leads: clicks a list 3.10% against 3.00% of control, 0.10 points more (-0.45 to 0.65, whenever one looks).",
        "No variant is surely better than control: 20,000 of 20,000 planned readers came.",
        "Keep control, and stop the experiment.",
      ],
    }
  `);
});

test('a variant that is worse ends it early', () => {
  expect(judge(plan(), { readers: 5_000, clicks: 300 }, { readers: 5_000, clicks: 150 })).toMatchInlineSnapshot(`
    {
      "is": "none",
      "lines": [
        "control leads. grid: clicks a list 3.00% against 6.00% of control, 3.00 points less (-4.30 to -1.70, whenever one looks).",
        "No variant is better than control: 10,000 of 20,000 planned readers came.",
        "Keep control, and stop the experiment.",
      ],
    }
  `);
});

test('a guardrail that is worse counts more than the goal', () => {
  const control = { readers: 8_000, clicks: 240 };
  const grid = { readers: 8_000, clicks: 480, views: 8_000 * 1.3 };
  expect(judge(plan(), control, grid)).toMatchInlineSnapshot(`
    {
      "is": "harm",
      "lines": [
        "grid does harm: views a visit 1.300 against 1.500 of control, 0.200 less (-0.242 to -0.158, whenever one looks).",
        "Without a difference, at most 1 of 1,000,000 experiments would ever look like this.",
        "Stop the experiment, and keep control.",
      ],
      "variant": "grid",
    }
  `);
});

test('a variant that wins, and harms nothing, is not kept back by another one that does harm', () => {
  const three = plan({
    variants: ['control', 'grid', 'cards'].map((name, at) => ({ name, share: at === 0 ? 34 : 33 })),
  });
  const control = { readers: 8_160, clicks: 240 };
  const grid = { readers: 7_920, clicks: 600, views: 7_920 * 1.3 };
  const { is, variant, lines } = judge(three, control, grid, { readers: 7_920, clicks: 480 });
  expect([is, variant]).toEqual(['wins', 'cards']);
  expect(lines.at(-1)).toBe('Give cards to all readers, then stop the experiment.');
  expect(judge(three, control, grid, { readers: 7_920, clicks: 240 })).toMatchObject({ is: 'harm', variant: 'grid' });
});

test('a variant that moves the page does harm, whatever it brings', () => {
  const control = { readers: 8_000, clicks: 240, shift: 8 };
  expect(judge(plan(), control, { readers: 8_000, clicks: 480, shift: 240 })).toMatchInlineSnapshot(`
    {
      "is": "harm",
      "lines": [
        "grid moves the page: layout shift 0.030 against 0.001 of control, 0.029 more (0.027 to 0.031, whenever one looks).",
        "Without a difference, at most 1 of 1,000,000 experiments would ever look like this.",
        "Stop the experiment, and keep control.",
        "Keep as much room for its list as it needs, and start a new experiment.",
      ],
      "variant": "grid",
    }
  `);
});

test('a variant that fails does harm', () => {
  const control = { readers: 8_000, clicks: 240 };
  expect(judge(plan(), control, { readers: 8_000, clicks: 240, errors: 160 })).toMatchInlineSnapshot(`
    {
      "is": "harm",
      "lines": [
        "grid fails: errors a list 0.020 against 0.000 of control, 0.020 more (0.014 to 0.026, whenever one looks).",
        "Without a difference, at most 1 of 1,000,000 experiments would ever look like this.",
        "Stop the experiment, and keep control.",
        "Mend what the browser’s console says on a page with it, and start a new experiment.",
      ],
      "variant": "grid",
    }
  `);
});

test('small shifts of most pages are as many as large ones', () => {
  const { is, lines } = judge(
    plan(),
    { readers: 1_000, clicks: 30, shift: 0.2, step: 0.02 },
    { readers: 1_000, clicks: 30, shift: 16, step: 0.02 },
  );
  expect([is, lines[0]]).toEqual(['harm', expect.stringContaining('grid moves the page: layout shift 0.016')]);
});

test.each<[string, Partial<Behaviour>]>([
  ['surely moves by less than a hundredth more', { shift: 60 }],
  ['surely fails in less than 5 of 1,000 lists more', { errors: 30 }],
  ['may move by less than a hundredth more, and bounce more often or less', { shift: 90, bounces: 3_950 }],
])('a variant that %s does no harm, and is no better', (_, of) => {
  const some = { readers: 8_000, clicks: 240 };
  expect(judge(plan(), some, { ...some, ...of }).is).toBe('wait');
  const [, grid] = analyse(plan(), [counts(some), counts({ ...some, ...of })]).variants;
  expect(grid!.comparisons!.filter(({ decided }) => decided)).toEqual([]);
});

/** N of "at most 1 of N experiments", of the first verdict of a kind as something rises. */
function oddsOfFirst(is: string, verdictAt: (rises: number) => ReturnType<typeof judge>): number {
  for (let rises = 0; rises < 500; rises++) {
    const verdict = verdictAt(rises);
    if (verdict.is === is)
      return Number(/at most 1 of ([\d,]+) experiments/.exec(verdict.lines[1]!)![1]!.replace(',', ''));
  }
  throw new Error(`It is never ${is}.`);
}

test('of many comparisons any one may look so: just decided is 1 of 20 experiments, and of guardrails 1 of 100', () => {
  const ten = plan({ variants: Array.from({ length: 10 }, (_, at) => ({ name: `v${at}`, share: 10 })) });
  const some = { readers: 2_000, clicks: 60 };
  const others = Array.from({ length: 8 }, () => some);
  const wins = oddsOfFirst('wins', (more) => judge(ten, some, ...others, { ...some, clicks: 60 + more, quality: 30 }));
  expect(wins).toBeGreaterThanOrEqual(20);
  expect(wins).toBeLessThan(40);
  const harms = oddsOfFirst('harm', (more) => judge(ten, some, ...others, { ...some, bounces: 1_000 + more }));
  expect(harms).toBeGreaterThanOrEqual(100);
  expect(harms).toBeLessThan(200);
});

test('wrong shares: no figure counts', () => {
  expect(judge(plan(), { readers: 10_000, clicks: 300 }, { readers: 9_000, clicks: 500 })).toMatchInlineSnapshot(`
    {
      "is": "broken",
      "lines": [
        "Do not use these figures: readers came as 10,000 : 9,000 where 50 : 50 is intended.",
        "Right assignment looks like this in at most 1 of 1,000,000 experiments.",
        "Something loses readers of a variant. Look at the pages in each variant for errors, mend them, and start a new experiment.",
      ],
    }
  `);
});

test('the views of a visit, of three variants', () => {
  const three = plan({
    goal: 'views',
    variants: [
      { name: 'control', share: 80 },
      { name: 'newest', share: 10 },
      { name: 'holdback', share: 10 },
    ],
  });
  const [control, newest] = [
    { readers: 12_000, clicks: 360 },
    { readers: 1_500, clicks: 40 },
  ];
  const holdback = { readers: 1_500, clicks: 0, views: 1_500 * 1.4 };
  expect(judge(three, control, newest, holdback)).toMatchInlineSnapshot(`
    {
      "is": "wait",
      "lines": [
        "newest is level with control: views a visit 1.500 against 1.500 of control, 0.000 more (-0.056 to 0.056, whenever one looks).",
        "This is not decided: 15,000 of 20,000 planned readers came.",
        "Let it run.",
      ],
    }
  `);
});

test.each([
  [480, 600, 'cards'],
  [600, 480, 'grid'],
])('of two variants that win, with %d and %d clicks, the better one does', (grid, cards, winner) => {
  const three = plan({ variants: ['control', 'grid', 'cards'].map((name) => ({ name, share: 33 })) });
  const some = { readers: 6_000, clicks: 240, quality: 120 };
  expect(judge(three, some, { ...some, clicks: grid }, { ...some, clicks: cards }).variant).toBe(winner);
});

test('a variant without a list does no harm for having no clicks', () => {
  const some = { readers: 8_000, clicks: 240 };
  expect(judge(plan({ goal: 'views' }), some, { ...some, clicks: 0 }).is).toBe('wait');
});

describe('too little to say anything', () => {
  test.each<[string, Behaviour, Behaviour]>([
    ['no reader', { readers: 0, clicks: 0, views: 0, bounces: 0 }, { readers: 0, clicks: 0, views: 0, bounces: 0 }],
    ['a few readers', { readers: 60, clicks: 0 }, { readers: 60, clicks: 40 }],
    ['a few clicks', { readers: 600, clicks: 0 }, { readers: 600, clicks: 25 }],
  ])('%s', (_, control, grid) => {
    const verdict = judge(plan(), control, grid);
    expect(verdict.is).toBe('wait');
    expect(verdict.lines.join(' ')).toContain('too few readers to say more');
    expect(verdict.lines.join(' ')).not.toMatch(/NaN|Infinity/);
  });
});
