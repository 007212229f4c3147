// Which setting of the mix dial is recommended, and why, in words: for the command, the interface and the console.
import type { Frontier } from './frontier.ts';
import type { FrontierPoint } from './frontierTally.ts';

/** Which setting, and why: three lines. */
export function recommendation({
  points,
  page,
  recommended,
  confirmed,
}: Omit<Frontier, 'fitted'>): [string, string, string] {
  const at = (mix: number) => points.find((point) => point.mix === mix)!;
  const [alone, chosen] = [points[0]!, at(recommended)];
  // A setting between the two ends may predict more than the readers alone.
  const best = Math.max(...points.map(({ reciprocal }) => reciprocal));
  const kept = (point: FrontierPoint) => point[page] ?? 0;
  const [from, to] = [alone, chosen].map(({ reciprocal }) => reciprocal.toFixed(3)) as [string, string];
  const gain = shareOf(chosen.reciprocal - alone.reciprocal, best - alone.reciprocal);
  const predicts =
    Number(to) < Number(from) ? 'predicts less than the page alone by' : `gains ${gain} of what readers can add to`;
  const left = shareOf(kept(chosen), kept(alone));
  const what = page === 'links' ? 'of what the page knows of its links' : 'of the list of the page alone';
  const verdict =
    confirmed === recommended
      ? 'The second half, which it was not fitted to, would choose the same.'
      : `The second half, which it was not fitted to, would choose ${confirmed} (MRR@20 ${at(confirmed).reciprocal.toFixed(3)}, not ${to}).`;
  return [
    `Recommended: mix ${recommended}. Fitted to the first half of the log, it ${predicts}`,
    `MRR@20 (${from} to ${to}) in the second half, and keeps ${left} ${what}.`,
    verdict,
  ];
}

const shareOf = (part: number, whole: number): string =>
  part > 0 && whole > 0 ? `${Math.round((part / whole) * 100)}%` : 'nothing';
