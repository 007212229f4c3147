// The log: JSON lines for machines, one plain line each on a terminal. Secrets and addresses of readers never get here.
import { type DestinationStream, type Logger, pino } from 'pino';
import type { StorageSettings } from '../config.ts';
import { plain } from './output.ts';

/** Masked wherever they occur, should a caller leave one in. */
const MASKED = ['secret', 'write_secret', 'ip', 'authorization', 'cookie'].flatMap((name) => [name, `*.${name}`]);

export interface LogOptions {
  level: StorageSettings['logLevel'];
  format: StorageSettings['logFormat'];
  /** Commands that print data log to standard error. */
  to: 'stdout' | 'stderr';
}

export function createLog({ level, format, to }: LogOptions): Logger {
  // Opened also where the format is named: from then on a write to a full pipe fails, and does not wait.
  const { isTTY } = process[to];
  const pretty = format === 'pretty' || (format === 'auto' && isTTY);
  const options = {
    level,
    base: null,
    redact: MASKED,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const lines = openLines(to);
  return pino(options, pretty ? prettyLines(lines) : lines);
}

/** Bytes of lines that wait for room on the disk, or for the reader of a pipe; those beyond are lost. */
const MOST_WAITING = 1024 * 1024;
/** Lines that wait are written again after so long, or with the next line. */
const AGAIN_MS = 100;

function openLines(to: LogOptions['to']): DestinationStream {
  const lines = pino.destination({
    fd: to === 'stdout' ? 1 : 2,
    sync: true,
    maxLength: MOST_WAITING,
    // It would stop this thread until the pipe is read.
    retryEAGAIN: () => false,
  });
  let isWaiting = false;
  // A full disk or a full pipe, for example: the work that the line is about continues. There is no other place to say
  // so.
  lines.on('error', () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      lines.write('');
    }, AGAIN_MS).unref();
  });
  // Without its `flushSync`, which pino calls after a fatal line: it repeats a write that fails until it succeeds.
  return { write: (line) => void lines.write(line) };
}

/** `09:30:05 warn  message  key=value`, and the stack of an error below. */
function prettyLines(to: DestinationStream): DestinationStream {
  return {
    write(line) {
      const { level, time, msg, err, ...rest } = JSON.parse(line);
      const details = Object.entries(rest).map(
        ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      const clock = String(time).slice(11, 19);
      to.write(plain(`${clock} ${String(level).padEnd(5)} ${[msg, ...details].join('  ')}\n`));
      if (err?.stack) to.write(plain(`${err.stack}\n`));
    },
  };
}
