// How long single steps of the event loop keep the processor. On a machine that does other work too, a loop is mostly late
// because it was not its turn; this leaves such waiting out.
import { existsSync, readFileSync } from 'node:fs';

/** Linux: nanoseconds the main thread was on a processor, first of three numbers. */
const TIMES = '/proc/self/schedstat';

/** @returns Asked once, at the end: milliseconds of the longest step; NaN where the system does not say. */
export function watchBusy(): () => number {
  if (!existsSync(TIMES)) return () => Number.NaN;
  const spent = () => Number(readFileSync(TIMES, 'utf8').split(' ')[0]) / 1e6;
  let before = spent();
  let longest = 0;
  const beat = setInterval(() => {
    const now = spent();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  return () => {
    clearInterval(beat);
    return longest;
  };
}
