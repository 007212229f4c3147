// The rules for a new experiment, and for its end: each refusal is a sentence that names what is wrong.
import { describe, expect, test } from 'vitest';
import { MOST_EXPERIMENTS, MOST_LISTED } from '../../server/contract/experiments.ts';
import {
  archiveOne,
  createExperiment,
  type Experiment,
  type ExperimentInput,
  restoreOne,
  stopOne,
  type VariantInput,
} from '../../server/experiments/experiment.ts';
import { NOTHING } from '../../server/experiments/ratio.ts';
import { toResult } from '../../server/experiments/toExperimentRecord.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const control: VariantInput = { name: 'control', share: 50 };
const input: ExperimentInput = {
  name: 'grid-or-list',
  slot: 'after-article',
  variants: [control, { name: 'grid', share: 50, layout: 'grid', limit: '6', heading: 'Read on' }],
};
const running = createExperiment(input, [], NOW);
const withVariant = (of: Partial<VariantInput>) => ({
  ...input,
  variants: [control, { name: 'b', share: 50, ...of }],
});

test('an experiment has the defaults for what is not said, and starts now', () => {
  expect(running).toEqual({
    name: 'grid-or-list',
    slot: 'after-article',
    goal: 'clicks',
    readers: 50_000,
    state: 'running',
    startedAt: NOW,
    variants: [
      { name: 'control', share: 50 },
      { name: 'grid', share: 50, layout: 'grid', limit: 6, heading: 'Read on' },
    ],
  });
});

test('variants may set everything that there is, and a holdback no list', () => {
  const { variants } = createExperiment(
    {
      ...input,
      goal: 'views',
      variants: [
        { name: 'control', share: 40 },
        ...(['content', 'readers', 'mix', 'newest', 'popular'] as const).map((ranking) => ({
          name: ranking,
          share: 10,
          ranking,
          slot: 'sidebar',
        })),
        { name: 'holdback', share: 10, list: 'none' },
      ],
    },
    [],
    NOW,
  );
  expect(variants.at(-1)).toEqual({ name: 'holdback', share: 10, list: 'none' });
});

describe('is refused', () => {
  test.each<[string, ExperimentInput, string]>([
    [
      'an unknown layout',
      withVariant({ layout: 'carousel' }),
      'The variant b takes a layout of list, grid, row, compact, not "carousel".',
    ],
    [
      'an unknown ranking',
      withVariant({ ranking: 'best' }),
      'The variant b takes a ranking of content, readers, mix, newest, popular, not "best".',
    ],
    ['a limit out of range', withVariant({ limit: 26 }), 'The variant b takes a limit from 1 to 25, not "26".'],
    [
      'a limit that is no number',
      withVariant({ limit: 'ten' }),
      'The variant b takes a limit from 1 to 25, not "ten".',
    ],
    [
      'markup in a heading',
      withVariant({ heading: '<b>Read on</b>' }),
      'The variant b: a heading is plain text, without markup, not "<b>Read on</b>".',
    ],
    [
      'an empty heading',
      withVariant({ heading: ' ' }),
      'The variant b: a heading has 1 to 120 characters of plain text, not " ".',
    ],
    [
      'control characters',
      withVariant({ heading: 'a\u0007b' }),
      'The variant b: a heading has 1 to 120 characters of plain text',
    ],
    [
      'shares that add up to 101',
      { ...input, variants: [control, { name: 'b', share: 51 }] },
      'The shares add up to 101: they have to add up to 100.',
    ],
    [
      'half a percent',
      { ...input, variants: [control, { name: 'b', share: 49.5 }] },
      'The variant b takes a share from 1 to 99 percent, not 49.5.',
    ],
    [
      'no share',
      {
        ...input,
        variants: [
          { name: 'a', share: 100 },
          { name: 'b', share: 0 },
        ],
      },
      'The variant a takes a share from 1 to 99 percent, not 100.',
    ],
    [
      'two variants of one name',
      { ...input, variants: [control, control] },
      'Two variants are named control: give each a name of its own.',
    ],
    [
      'one variant',
      { ...input, variants: [control] },
      'An experiment has 2 to 10 variants, the control first; this has 1.',
    ],
    [
      'a control that changes the list',
      {
        ...input,
        variants: [
          { name: 'a', share: 50, layout: 'grid' },
          { name: 'b', share: 50 },
        ],
      },
      'The first variant, a, is the control and changes nothing: give layout to another one.',
    ],
    [
      'a holdback with a layout',
      { ...withVariant({ list: 'none', layout: 'grid' }), goal: 'views' },
      'The variant b has no list, so it takes nothing but list=none.',
    ],
    [
      'a holdback judged by clicks',
      withVariant({ list: 'none' }),
      'Nothing is clicked in b, which has no list: the goal has to be views.',
    ],
    [
      'a variant in the slot that the control has',
      withVariant({ slot: input.slot }),
      `The variant b names the slot ${input.slot}, in which the list stands already: give another one, or none.`,
    ],
    [
      'a name with blanks',
      { ...input, name: 'Grid or list' },
      'An experiment is named in lower-case letters, digits and hyphens, at most 64, not "Grid or list".',
    ],
    ['a variant with a name of a kilobyte', withVariant({ name: 'x'.repeat(1000) }), `not "${'x'.repeat(80)}…".`],
    [
      'no slot',
      { ...input, slot: '' },
      'The experiment: the name of a slot has 1 to 64 characters of plain text, not "".',
    ],
  ])('%s', (_, said, sentence) => {
    expect(() => createExperiment(said, [], NOW)).toThrow(sentence);
  });

  test('a name that the site has used, for archived experiments too', () => {
    const archived: Experiment = { ...running, state: 'archived', slot: 'elsewhere' };
    expect(() => createExperiment(input, [archived], NOW)).toThrow('There is an experiment grid-or-list already');
  });

  const several = (length: number, state: Experiment['state']): Experiment[] =>
    Array.from({ length }, (_, n) => ({ ...running, name: `${state}-${n}`, slot: 'elsewhere', state }));

  test('one more than a site lists; archived ones are not listed', () => {
    const listed = several(MOST_LISTED, 'stopped');
    const sentence = 'A site lists at most 100 experiments: archive one that has ended.';
    expect(() => createExperiment(input, listed, NOW)).toThrow(sentence);
    const archived = several(300, 'archived');
    expect(createExperiment(input, [...listed.slice(1), ...archived], NOW).name).toBe(input.name);
    expect(() => restoreOne([...listed, ...archived], 'archived-7')).toThrow(sentence);
    expect(restoreOne([...listed.slice(1), ...archived], 'archived-7')).toHaveLength(399);
  });

  test('one more than a site may have', () => {
    const sentence = 'A site has at most 500 experiments, archived ones included.';
    expect(() => createExperiment(input, several(MOST_EXPERIMENTS, 'archived'), NOW)).toThrow(sentence);
  });

  test.each<[string, Partial<ExperimentInput>]>([
    ['in the same slot', {}],
    ['with a variant that goes there', { ...withVariant({ slot: 'after-article' }), slot: 'aside' }],
  ])('a second running experiment %s; beside a stopped one it is not', (_, said) => {
    const second = { ...input, ...said, name: 'second' };
    const sentence =
      'The experiment grid-or-list is running in the slot after-article: stop it first, or take another slot.';
    expect(() => createExperiment(second, [running], NOW)).toThrow(sentence);
    expect(createExperiment(second, [{ ...running, state: 'stopped' }], NOW).name).toBe('second');
  });
});

describe('ends', () => {
  const guards = { bounces: NOTHING, layout_shift: NOTHING, errors: NOTHING };
  const counts = { readers: 0, sums: { clicks: NOTHING, quality_clicks: NOTHING, views: NOTHING, ...guards } };
  const result = toResult(running, [counts, { ...counts }], { now: NOW, isStopped: true });
  const stop = (name = running.name) => ({ name, by: 'command' as const, now: NOW + 1000, result });

  test('by being stopped, then archived; the others stay as they are', () => {
    const other: Experiment = { ...running, name: 'other', slot: 'top' };
    const ended = { ...running, stoppedAt: NOW + 1000, endedBy: 'command', result };
    const stopped = stopOne([other, running], stop());
    expect(stopped).toEqual([other, { ...ended, state: 'stopped' }]);
    expect(archiveOne(stopped, running.name)[1]).toEqual({ ...ended, state: 'archived' });
  });

  test('not before it is stopped, not twice, and not where there is none', () => {
    expect(() => archiveOne([running], running.name)).toThrow('The experiment grid-or-list is running: stop it first.');
    const stopped = stopOne([running], stop());
    expect(() => stopOne(stopped, stop())).toThrow('The experiment grid-or-list is stopped already.');
    expect(() => stopOne(stopped, stop('none'))).toThrow('There is no experiment none.');
  });
});
