// How far long work is: a bar on a terminal; elsewhere nothing, or a plain line now and then where somebody reads along.
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /**
   * @param note Shown behind the bar.
   * @param total Where more was found to do. Default: as before.
   */
  update(done: number, note: string, total?: number): void;
  close(): void;
}

export interface ProgressOptions {
  title: string;
  /** What there is to do, in any unit. */
  total: number;
  /** What is written where there is no terminal. Default: nothing. */
  elsewhere?: 'lines' | 'nothing';
}

const LINES = 10;

export function openProgress({ title, total, elsewhere = 'nothing' }: ProgressOptions): Progress {
  if (process.stderr.isTTY || elsewhere === 'nothing') return openBar(title, total);
  return openLines(title, total);
}

function openBar(title: string, total: number): Progress {
  const options = {
    format: `${title}  {bar}  {percentage}%  {note}`,
    hideCursor: true,
    stream: process.stderr,
    noTTYOutput: false,
  };
  const bar = new SingleBar(options, Presets.rect);
  bar.start(total, 0, { note: '' });
  return {
    update(done, note, most = bar.getTotal()) {
      if (most !== bar.getTotal()) bar.setTotal(most);
      bar.update(Math.min(done, most), { note });
    },
    close: () => bar.stop(),
  };
}

/** A line at the start, and one for each tenth. */
function openLines(title: string, first: number): Progress {
  let said = 0;
  let total = first;
  process.stderr.write(`${title} …\n`);
  return {
    update(done, note, most = total) {
      total = most;
      const tenth = Math.floor((Math.min(done, total) / Math.max(1, total)) * LINES);
      if (tenth <= said) return;
      said = tenth;
      process.stderr.write(`${title}: ${(tenth * 100) / LINES} %, ${note}\n`);
    },
    close: () => undefined,
  };
}
