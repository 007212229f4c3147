// What lists brought, as the page behind them is given it.
import type { Brought } from '../../demo/brought.ts';

const figures = (name: string, clicks: number): Brought['lists'][number] => ({
  name,
  title: '',
  metrics: {
    ...{ lists: 61_204, seen: 367_224, clicks, click_rate: 0.0213, click_rate_low: 0.0208, click_rate_high: 0.0218 },
    ...{ quality_clicks: 5_120, views_caused: 7_630, recirculation: 0.0522, engaged_minutes: 15_230.6 },
  },
});

const rates = { clicks: 0.1263, quality_clicks: 0.081, views: 1.94, bounces: 0.4, layout_shift: 0.004, errors: 0 };

export const BROUGHT: Brought = {
  lists: [figures('read-next', 7_821), figures('most-read', 1_204), figures('1', 3)],
  experiment: {
    ...{ name: 'heading', slot: 'read-next', goal: 'clicks', readers: 50_000, state: 'running' },
    ...{ started: '2026-03-09T15:00:00.000Z', stopped: null, ended_by: null },
    variants: [
      { name: 'read-next', share: 50 },
      { name: 'subject', share: 50, heading: 'More on this subject' },
    ],
    result: {
      counted: '2026-03-18T15:00:00.000Z',
      readers: 11_002,
      verdict: 'wait',
      about: null,
      says: [
        'subject leads: clicks a list 12.63 % against 11.80 % of read-next.',
        'This is not decided.',
        'Let it run.',
      ],
      sample_ratio: { wrong: false, p_value: 1 },
      variants: ['read-next', 'subject'].map((name) => ({ name, readers: 5_501, rates, comparisons: [] })),
    },
  },
};
