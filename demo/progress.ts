// How far the loading is: a bar on a terminal, nothing where nobody looks.
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  total: number;
  /** @param stored events so far. */
  update(done: number, stored: number): void;
  close(): void;
}

/** @param total what there is to do, in any unit. */
export function openProgress(total: number): Progress {
  const bar = new SingleBar(
    {
      format: 'Inviting a month of readers  {bar}  {percentage}%  {stored} events',
      hideCursor: true,
      stream: process.stderr,
      etaBuffer: 5,
    },
    Presets.rect,
  );
  bar.start(total, 0, { stored: '0' });
  return {
    total,
    update: (done, stored) => bar.update(done, { stored: stored.toLocaleString('en-US') }),
    close: () => bar.stop(),
  };
}
