// How far long work is: a bar on a terminal, nothing where nobody looks.
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /** @param note Shown behind the bar. */
  update(done: number, note: string): void;
  close(): void;
}

/** @param total What there is to do, in any unit. */
export function openProgress(title: string, total: number): Progress {
  const options = {
    format: `${title} {bar}  {percentage}%  {note}`,
    hideCursor: true,
    stream: process.stderr,
    noTTYOutput: false,
  };
  const bar = new SingleBar(options, Presets.rect);
  bar.start(total, 0, { note: '' });
  return { update: (done, note) => bar.update(Math.min(done, total), { note }), close: () => bar.stop() };
}
