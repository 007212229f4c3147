// Ways to draw a cover: each turns chance and a palette into shapes on a canvas of 1200 by 675.
import { between, pick, type Random } from '../world/random.ts';
import type { Palette } from './palette.ts';

type Style = (random: Random, palette: Palette) => string;

const WIDTH = 1200;
const HEIGHT = 675;

/** Ranges of hills under a sun, the near ones darker. */
const hills: Style = (random, { inks, spark }) => {
  const sun = circle({
    x: between(random, 240, 960),
    y: between(random, 150, 290),
    r: between(random, 60, 120),
    fill: spark,
  });
  const ranges = inks.map((fill, depth) => {
    const base = 290 + depth * 92;
    const swing = 40 + random() * 46;
    const [a, b] = [random() * 7, random() * 7];
    const points = Array.from({ length: 25 }, (_, index) => {
      const y = base + Math.sin(index / 3.4 + a) * swing + Math.sin(index / 1.7 + b) * swing * 0.35;
      return `${index * 50},${y.toFixed(1)}`;
    });
    return `<path fill="${fill}" d="M0,${HEIGHT} L${points.join(' L')} L${WIDTH},${HEIGHT}Z"/>`;
  });
  return sun + ranges.join('');
};

/** Rings around one or two centres, like a stone thrown into water. */
const ripples: Style = (random, { inks, spark }) => {
  const centres = Array.from({ length: between(random, 1, 2) }, () => ({
    x: between(random, 150, 1050),
    y: between(random, 100, 600),
  }));
  const rings = centres.flatMap((centre, which) => {
    const step = between(random, 46, 70);
    return Array.from({ length: 13 }, (_, index) => {
      const stroke = inks[(index + which) % inks.length]!;
      const thick = 6 + ((index * 7 + which * 5) % 22);
      return `<circle cx="${centre.x}" cy="${centre.y}" r="${step * (index + 1)}" fill="none" stroke="${stroke}" stroke-width="${thick}" stroke-opacity=".82"/>`;
    }).reverse();
  });
  return rings.join('') + centres.map((centre) => circle({ ...centre, r: 26, fill: spark })).join('');
};

/** A floor of tiles with quarter circles, each turned by chance. */
const tiles: Style = (random, { inks, ground, spark }) => {
  const size = pick(random, [112.5, 135, 168.75]);
  const shapes: string[] = [];
  for (let y = 0; y < HEIGHT; y += size) {
    for (let x = 0; x < WIDTH; x += size) {
      const [back, front] = [pick(random, [ground, ...inks]), random() < 0.09 ? spark : pick(random, inks)];
      const turn = between(random, 0, 3) * 90;
      const shape =
        random() < 0.75
          ? `<path d="M0,0H${size}A${size},${size} 0 0 1 0,${size}Z" fill="${front}"/>`
          : circle({ x: size / 2, y: size / 2, r: size / 2, fill: front });
      const middle = size / 2;
      shapes.push(
        `<g transform="translate(${x},${y})"><rect width="${size + 0.5}" height="${size + 0.5}" fill="${back}"/><g transform="rotate(${turn},${middle},${middle})">${shape}</g></g>`,
      );
    }
  }
  return shapes.join('');
};

/** Slanted bars of light. */
const beams: Style = (random, { inks, spark }) => {
  const slant = between(random, 180, 420) * (random() < 0.5 ? -1 : 1);
  const bars: string[] = [];
  const lit = between(random, 3, 8);
  for (let x = -460, index = 0; x < WIDTH + 460; index++) {
    const wide = between(random, 34, 150);
    const fill = index === lit ? spark : inks[between(random, 0, 3)]!;
    bars.push(
      `<path d="M${x},${HEIGHT}L${x + slant},0h${wide}L${x + wide},${HEIGHT}Z" fill="${fill}" fill-opacity="${index === lit ? 1 : 0.85}"/>`,
    );
    x += wide + between(random, 6, 60);
  }
  return bars.join('');
};

/** Points joined to those near them. */
const network: Style = (random, { inks, spark }) => {
  const points = Array.from({ length: 30 }, (_, index) => ({
    x: 60 + ((index * 193) % 1080) + between(random, -50, 50),
    y: 50 + ((index * 127) % 575) + between(random, -40, 40),
    r: pick(random, [8, 10, 14, 22, 34]),
  }));
  const lines = points.flatMap((from, index) =>
    points
      .slice(index + 1)
      .filter((to) => Math.hypot(to.x - from.x, to.y - from.y) < 215)
      .map((to) => `<path d="M${from.x},${from.y}L${to.x},${to.y}" stroke="${inks[1]}" stroke-width="4"/>`),
  );
  const hub = between(random, 4, 25);
  const dots = points.map((point, index) => circle({ ...point, fill: index === hub ? spark : inks[2 + (index % 2)]! }));
  return lines.join('') + dots.join('');
};

/** An arcade: arches behind arches. */
const arches: Style = (random, { inks, spark }) => {
  const count = between(random, 3, 5);
  const wide = WIDTH / count;
  const lamp = between(random, 0, count - 1);
  const sway = between(random, 24, 90) * (random() < 0.5 ? -1 : 1);
  const crown = between(random, 90, 190);
  const rows = Array.from({ length: count }, (_, index) => {
    const nested = inks.map((fill, depth) => {
      const half = (wide / 2) * (0.96 - depth * 0.2);
      const middle = wide * (index + 0.5);
      const top = crown + depth * 62 + (index % 2) * sway;
      return `<path d="M${(middle - half).toFixed(1)},${HEIGHT}V${(top + half).toFixed(1)}a${half.toFixed(1)},${half.toFixed(1)} 0 0 1 ${(2 * half).toFixed(1)},0V${HEIGHT}Z" fill="${fill}"/>`;
    });
    const light = index === lamp ? circle({ x: wide * (index + 0.5), y: 470, r: wide * 0.11, fill: spark }) : '';
    return nested.join('') + light;
  });
  return rows.join('');
};

/** Columns of a chart that need not be readable. */
const skyline: Style = (random, { inks, spark }) => {
  const layers = inks.map((fill, depth) => {
    const bars: string[] = [];
    for (let x = -between(random, 0, 40); x < WIDTH; ) {
      const wide = between(random, 48, 130);
      const tall = between(random, 90, 330) + (3 - depth) * 72;
      bars.push(`<rect x="${x}" y="${HEIGHT - tall}" width="${wide}" height="${tall}" fill="${fill}"/>`);
      x += wide + between(random, 4, 34);
    }
    return bars.join('');
  });
  const moon = circle({
    x: between(random, 160, 1040),
    y: between(random, 90, 170),
    r: between(random, 40, 70),
    fill: spark,
  });
  return moon + layers.join('');
};

export const STYLES: readonly Style[] = [hills, ripples, tiles, beams, network, arches, skyline];

function circle({ x, y, r, fill }: { x: number; y: number; r: number; fill: string }): string {
  return `<circle cx="${x}" cy="${y}" r="${r.toFixed(1)}" fill="${fill}"/>`;
}
