// How many connections the system's limit on file descriptors has room for.

/** Kept for the engine, which opens each part of a table, the write-ahead log, the crawler and the log. */
const LEAST_RESERVE = 256;
/** Where the limit is not known: the default of most systems. */
const USUAL_LIMIT = 1024;
/** A process of usual memory holds no more. */
const MOST_CONNECTIONS = 50_000;

/** Half of the descriptors this process may open, or fewer where that leaves too small a reserve. */
export function roomForConnections(limit: number = openFilesLimit()): number {
  const room = Math.min(limit / 2, limit - LEAST_RESERVE, MOST_CONNECTIONS);
  return Math.max(1, Math.floor(room));
}

/** As `ulimit -n` says; Node raises it to the hard limit when it starts. */
function openFilesLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
  return Number(soft) || USUAL_LIMIT;
}
