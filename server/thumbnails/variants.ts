// Which thumbnails there are of a picture: a few widths, a few ratios, two formats. What is asked for is rounded to
// these, so that one picture has a bounded number of files, whatever addresses are made up.

/** Pixels. */
const WIDTHS = [160, 320, 480, 640, 960] as const;
/** Width by height: portrait and square cards, plain lists (4:3), photographs, grids and rows (16:9), banners. */
const RATIOS = [2 / 3, 4 / 5, 1, 4 / 3, 3 / 2, 16 / 9, 2] as const;
/**
 * Named by `thumb_url_medium`, for clients that show one size: sharp on a dense screen in a plain list, and sharp
 * enough in a grid.
 */
export const MEDIUM = 480;

const DEFAULT_RATIO = 16 / 9;
/** `480`, or with a ratio `480x1.5`, as JavaScript writes numbers. */
const SIZE = /^(\d{1,5})(?:x(\d{1,4}(?:\.\d{1,20})?))?$/;

/** AVIF is left out: at the effort that makes it smaller than WebP, it takes 3 to 12 times the processor time. */
export type Format = 'webp' | 'jpeg';

export interface Variant {
  width: number;
  height: number;
  format: Format;
}

/**
 * The variant nearest to what is asked for: the width is rounded up, the ratio to the nearest.
 * @param size As in the address: `480`, or `480x1.5`, width by height; 16:9 where it names no ratio.
 * @param accept Header `Accept` of the request.
 * @returns undefined for what is no size.
 */
export function toVariant(size: string, accept: string | undefined): Variant | undefined {
  const [, wide, by] = SIZE.exec(size) ?? [];
  if (wide === undefined || Number(wide) === 0) return undefined;
  const width = WIDTHS.find((each) => each >= Number(wide)) ?? WIDTHS.at(-1)!;
  const ratio = by === undefined ? DEFAULT_RATIO : nearestRatio(Number(by));
  return { width, height: Math.round(width / ratio), format: takesWebp(accept) ? 'webp' : 'jpeg' };
}

/** On a scale where twice as wide is as far as twice as high. */
function nearestRatio(asked: number): number {
  const distance = (ratio: number): number => Math.abs(Math.log(ratio / Math.max(asked, 0.01)));
  return RATIOS.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
}

/** By name: all browsers that take it name it, and what says a bare `*` may be anything. */
const takesWebp = (accept = ''): boolean => /(?:^|[\s,])image\/webp(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accept);
