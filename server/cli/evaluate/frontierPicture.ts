// The frontier between page and readers as a picture: an SVG that stands by itself, in a page or in a browser, in light
// and in dark.
import { rename, rm, writeFile } from 'node:fs/promises';
import { messageOf } from '../../errors.ts';
import type { Frontier } from '../../evaluation/frontier.ts';
import { recommendation } from '../../evaluation/recommendation.ts';
import { escapeHtml } from '../../http/escapeHtml.ts';
import { CommandError } from '../commandError.ts';

const WIDTH = 640;
const HEIGHT = 400;
/** The chart within it: to its left and below it are the scales. */
const CHART = { left: 76, right: 604, top: 64, bottom: 330 };
/** Settings whose points lie closer than this have one label. */
const LABEL = { width: 34, height: 16 };
const GRID = [0, 0.25, 0.5, 0.75, 1];

/** A background of its own: a page that embeds it may be light while the reader's system is dark. */
const STYLE = `
  svg { color-scheme: light dark; color: #1c1c1e; font: 13px system-ui, sans-serif; }
  .ground { fill: #fff; }
  .quiet { opacity: 0.65; }
  @media (prefers-color-scheme: dark) { svg { color: #ececee; } .ground { fill: #17181b; } }
`;

/** Says at once that a file cannot be what is asked for. @throws {CommandError} */
export function requirePictureName(file: string): void {
  if (!/\.svg$/i.test(file)) throw new CommandError(`--picture writes SVG: ${file} has to end in .svg.`, 2);
}

/** Written beside its place and renamed, so that a picture there is stays whole. @throws {CommandError} */
export async function writePicture(file: string, frontier: Frontier, site?: string): Promise<void> {
  const fresh = `${file}.${process.pid}.new`;
  try {
    await writeFile(fresh, drawFrontier(frontier, site));
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    throw new CommandError(`Cannot write ${file}: ${messageOf(error)}`);
  }
}

interface Point {
  mix: number;
  x: number;
  y: number;
}

/** A point for each setting: what is kept of the page to the right, the next read upwards. */
function drawFrontier(frontier: Frontier, site?: string): string {
  const { points, page, recommended } = frontier;
  const across = scale(
    points.map((point) => point[page] ?? 0),
    CHART.left,
    CHART.right,
  );
  const upwards = scale(
    points.map(({ reciprocal }) => reciprocal),
    CHART.bottom,
    CHART.top,
  );
  const placed = points.map((point) => ({
    mix: point.mix,
    x: across.at(point[page] ?? 0),
    y: upwards.at(point.reciprocal),
  }));
  const title = `Page and readers${site === undefined ? '' : `, ${site}`}: ten settings of the mix dial`;
  const line = placed.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title about">
<title id="title">${escapeHtml(title)}</title>
<desc id="about">${escapeHtml(describe(frontier))}</desc>
<style>${STYLE}</style>
<rect class="ground" width="${WIDTH}" height="${HEIGHT}"/>
<g fill="currentColor" aria-hidden="true">
<text x="${CHART.left}" y="24" font-weight="bold">${escapeHtml(title)}</text>
<text x="${CHART.left}" y="44" class="quiet">MRR@20 of the next read ↑ · ${pageAxis(page)} →</text>
${[...grid(across, 'across'), ...grid(upwards, 'upwards')].join('\n')}
<polyline points="${line}" fill="none" stroke="currentColor" stroke-width="1.5" opacity="0.5"/>
${placed.map((point) => dot(point, point.mix === recommended)).join('\n')}
${labels(placed, recommended).join('\n')}
<text x="${CHART.left}" y="${HEIGHT - 18}">◎ ${escapeHtml(`recommended: mix ${recommended}`)}</text>
</g>
</svg>
`;
}

const pageAxis = (page: Frontier['page']): string =>
  page === 'links' ? 'nDCG@10 of the page’s own links' : 'share kept of the ten posts of the page alone';

/** All that the picture shows, in sentences. */
function describe(frontier: Frontier): string {
  const { points, page } = frontier;
  const each = points.map(
    (point) => `mix ${point.mix}: MRR@20 ${point.reciprocal.toFixed(3)}, ${(point[page] ?? 0).toFixed(3)}`,
  );
  const [first, second, third] = recommendation(frontier);
  return `Each setting with its MRR@20 and the ${pageAxis(page)}. ${each.join('; ')}. ${first} ${second} ${third}`;
}

interface Scale {
  at(value: number): number;
  /** The value at a share of the way. */
  value(share: number): number;
  from: number;
  to: number;
}

function scale(values: readonly number[], from: number, to: number): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low || 1;
  return {
    at: (value) => from + ((value - low) / span) * (to - from),
    value: (share) => low + share * span,
    from,
    to,
  };
}

function grid({ value, from, to }: Scale, way: 'across' | 'upwards'): string[] {
  const { left, right, top, bottom } = CHART;
  return GRID.map((share) => {
    const at = (from + share * (to - from)).toFixed(1);
    const [rule, place] =
      way === 'across'
        ? [`M${at} ${top}V${bottom}`, `x="${at}" y="${bottom + 20}" text-anchor="middle"`]
        : [`M${left} ${at}H${right}`, `x="${left - 8}" y="${Number(at) + 4}" text-anchor="end"`];
    const line = `<path d="${rule}" stroke="currentColor" opacity="0.15"/>`;
    return `${line}<text ${place} class="quiet">${value(share).toFixed(3)}</text>`;
  });
}

/** A ring around the recommended one: colour alone would not distinguish it from the others. */
function dot({ x, y }: Point, isRecommended: boolean): string {
  const at = `cx="${x.toFixed(1)}" cy="${y.toFixed(1)}"`;
  const ring = isRecommended ? `<circle ${at} r="9" fill="none" stroke="currentColor" stroke-width="2"/>` : '';
  return `<circle ${at} r="4"/>${ring}`;
}

/** To the right of the points; points that nearly coincide share one. */
function labels(points: readonly Point[], recommended: number): string[] {
  const groups: Point[][] = [];
  for (const point of points) {
    const [first] = groups.at(-1) ?? [];
    const isClose = first && Math.abs(first.x - point.x) < LABEL.width && Math.abs(first.y - point.y) < LABEL.height;
    if (isClose) groups.at(-1)!.push(point);
    else groups.push([point]);
  }
  return groups.map((group) => {
    const { x, y } = group[0]!;
    const names = group.map(({ mix }) => (mix === recommended ? `<tspan font-weight="bold">${mix}</tspan>` : `${mix}`));
    const isAtEdge = x > CHART.right - LABEL.width;
    const place = isAtEdge ? `x="${(x - 12).toFixed(1)}" text-anchor="end"` : `x="${(x + 12).toFixed(1)}"`;
    return `<text ${place} y="${(y - 8).toFixed(1)}">${names.join(' · ')}</text>`;
  });
}
