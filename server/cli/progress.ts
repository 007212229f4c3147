// How far long work is: a bar on a terminal; elsewhere nothing, or a plain line from time to time.
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
  /** What is written where there is no terminal: a line a tenth, or one every ten seconds. Default: nothing. */
  elsewhere?: 'lines' | 'now and then' | 'nothing';
  /** Printed when a signal ends the process: how to continue. Default: the signal ends it as it is. */
  interrupted?: () => string;
  /**
   * Called when that signal comes: the process ends when this resolves, so no further work may begin. A second signal
   * does not wait for it. Default: it ends at once.
   */
  finish?: () => Promise<unknown>;
  /** Milliseconds that only grow. Default: those of the process. */
  clock?: () => number;
}

const LINES = 10;
const NOW_AND_THEN_MS = 10_000;

export function openProgress(options: ProgressOptions): Progress {
  const progress = openQuietly(options);
  const { interrupted, finish = () => Promise.resolve() } = options;
  return interrupted === undefined ? progress : endOrderly(progress, interrupted, finish);
}

function openQuietly({
  title,
  total,
  elsewhere = 'nothing',
  clock = () => performance.now(),
}: ProgressOptions): Progress {
  if (process.stderr.isTTY || elsewhere === 'nothing') return openBar(title, total);
  return elsewhere === 'lines' ? openLines(title, total) : openNowAndThen(title, { total, clock });
}

/** Restores the terminal's cursor and prints how to continue, before the first signal ends the process. */
function endOrderly(progress: Progress, interrupted: () => string, finish: () => Promise<unknown>): Progress {
  const end = (signal: NodeJS.Signals) => {
    close();
    const kill = () => {
      process.stderr.write(`${interrupted()}\n`);
      process.kill(process.pid, signal);
    };
    void finish().then(kill, kill);
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  const close = () => {
    process.off('SIGINT', end).off('SIGTERM', end);
    progress.close();
  };
  return { ...progress, close };
}

function openNowAndThen(title: string, { total: first, clock }: { total: number; clock: () => number }): Progress {
  let last = clock();
  let total = first;
  return {
    update(done, note, most = total) {
      total = most;
      if (clock() - last < NOW_AND_THEN_MS) return;
      last = clock();
      const percent = Math.floor((Math.min(done, total) / Math.max(1, total)) * 100);
      process.stderr.write(`${title}: ${percent} %, ${note}\n`);
    },
    close: () => undefined,
  };
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
