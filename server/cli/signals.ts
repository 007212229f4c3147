// How the process is told to stop, and how it dies when something nobody expected happens.
import type { Logger } from 'pino';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Resolves with the first signal to stop. A second one ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((done) => {
    let first = true;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (!first) process.exit(signal === 'SIGINT' ? 130 : 143);
        first = false;
        done(signal);
      });
    }
  });
}

/** An error nobody caught leaves the process in a state nobody knows: it is logged, and the process ends. */
export function failLoudly(log: Logger): void {
  const die = (err: unknown) => {
    log.fatal({ err }, 'an unexpected error: the server stops at once');
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
}
