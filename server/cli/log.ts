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
  return pino(
    options,
    pretty ? prettyLines(process[to]) : pino.destination({ fd: to === 'stdout' ? 1 : 2, sync: true }),
  );
}

/** `09:30:05 warn  message  key=value`, and the stack of an error below. */
function prettyLines(to: NodeJS.WriteStream): DestinationStream {
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
