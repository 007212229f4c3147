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
  const pretty = format === 'pretty' || (format === 'auto' && process[to].isTTY);
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

/** Bytes of lines that wait for room on the disk; those beyond are lost. */
const MOST_WAITING = 1024 * 1024;

function openLines(to: LogOptions['to']): DestinationStream {
  const lines = pino.destination({ fd: to === 'stdout' ? 1 : 2, sync: true, maxLength: MOST_WAITING });
  // A full disk, for example: the line is tried again with the next one, and the work it was about continues. There is
  // no other place to say so.
  lines.on('error', () => undefined);
  return lines;
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
