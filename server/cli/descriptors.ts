// How many connections the system's limit on file descriptors has room for, and whether it is too low for the engine.

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

/** The engine opens some hundred files with a few parts of each table. */
const FEW = 1024;

/** What to do about a limit that the engine may reach; undefined where it is none. */
export function warnOfFewFiles(limit: number = openFilesLimit()): string | undefined {
  if (limit >= FEW) return undefined;
  return `this process may open ${limit} files at once, and the database stops where it needs more: allow 65536, by LimitNOFILE= of systemd, --ulimit nofile= of Docker or ulimit -n`;
}

/** As `ulimit -n` says; Node raises it to the hard limit when it starts. */
function openFilesLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
  return Number(soft) || USUAL_LIMIT;
}
