// How long this process was at work: what a busy machine cannot stretch, as it does the time on the clock.

/** @returns how many milliseconds of a processor this process has used since. */
export function cpuTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}
