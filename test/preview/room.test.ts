// The room of a list as a function of its width, and the rules that say so.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { piecesOf, toRoomStyle } from '../../widget/preview/room.ts';
import { toSelector } from '../../widget/preview/snippet.ts';

/** Columns of at least `least`, a picture over the text of each. */
const grid =
  ({ least, rows, shape }: { least: number; rows: number; shape: number }) =>
  (width: number) => {
    const columns = Math.min(3, Math.floor((width + 1) / least)) || 1;
    return Math.ceil(rows / columns) * (7 + ((width + 1) / columns - 1) / shape) + 3;
  };

test('the pieces are as high as what they were taken from, at every width', () => {
  const layout = fc.record({
    least: fc.integer({ min: 9, max: 30 }),
    rows: fc.integer({ min: 1, max: 25 }),
    shape: fc.double({ min: 0.5, max: 3, noNaN: true }),
  });
  fc.assert(
    fc.property(layout, fc.double({ min: 8, max: 119, noNaN: true }), (given, width) => {
      const height = grid(given);
      const pieces = piecesOf(height);
      const { fixed, slope } = pieces.findLast(({ from }) => from <= width)!;
      const near = [width, width + 0.01, width - 0.01].map(height);
      expect(Math.min(...near.map((one) => Math.abs(one - fixed - slope * width)))).toBeLessThan(0.05);
      expect(pieces.length).toBeLessThanOrEqual(3);
    }),
  );
});

test('a height that never changes is one rule', () => {
  const style = toRoomStyle(
    '[data-afterword="top"]',
    piecesOf(() => 31.25),
  );
  expect(style.split('\n')[1]).toBe(
    '[data-afterword="top"]:is(:not([style]), [style*="min-height"])::before { content: ""; float: left; height: 31.25em; }',
  );
  expect(style).not.toContain('@container');
});

test('what is chosen stays text in a selector', () => {
  const layout = '"]{}</style><script>';
  const selector = toSelector({ site: '', kind: 'top', values: { layout }, accent: '', radius: '', css: '', page: '' });
  expect(selector).toBe('[data-afterword="top"][data-layout="\\22 ]{}\\3c /style>\\3c script>"]');
});
