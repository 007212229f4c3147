// A small picture of figures over time, as SVG: one chart below the other, each with its own scale and its unit said.

export interface Chart {
  title: string;
  unit: string;
  lines: readonly { name: string; colour: string; values: readonly number[] }[];
}

const WIDTH = 760;
const HEIGHT = 150;
const LEFT = 64;
const TOP = 34;
const GAP = 26;

/** @param minutes What the whole width stands for. */
export function plot(charts: readonly Chart[], minutes: number): string {
  const height = charts.length * (TOP + HEIGHT + GAP) + 16;
  const drawn = charts.map((chart, at) => drawChart(chart, at * (TOP + HEIGHT + GAP), minutes));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 24} ${height}" font-family="system-ui, sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${drawn.join('\n')}
</svg>
`;
}

function drawChart({ title, unit, lines }: Chart, top: number, minutes: number): string {
  const most = niceBound(Math.max(...lines.flatMap(({ values }) => values)));
  const base = top + TOP + HEIGHT;
  const y = (value: number) => (base - (value / most) * HEIGHT).toFixed(1);
  const rules = [0, 0.5, 1].map(
    (share) =>
      `<path d="M${LEFT} ${y(most * share)}h${WIDTH}" stroke="#ddd"/><text x="${LEFT - 6}" y="${Number(y(most * share)) + 4}" text-anchor="end" fill="#555">${most * share}</text>`,
  );
  const times = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<text x="${LEFT + WIDTH * share}" y="${base + 15}" text-anchor="middle" fill="#555">${Number((minutes * share).toFixed(2))} min</text>`,
  );
  const curves = lines.map(({ values, colour }) => {
    const step = WIDTH / Math.max(1, values.length - 1);
    const points = values.map((value, at) => `${(LEFT + at * step).toFixed(1)},${y(value)}`);
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`;
  });
  const names = lines.map(({ name, colour }) => `<tspan fill="${colour}">  ● ${name}</tspan>`);
  const heading = `<text x="${LEFT}" y="${top + 20}"><tspan font-weight="bold">${title}</tspan> <tspan fill="#555">(${unit})</tspan>${names.join('')}</text>`;
  return [heading, ...rules, ...times, ...curves].join('\n');
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function niceBound(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((bound) => bound >= value) ?? value;
}
