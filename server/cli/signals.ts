// Signals that stop the process, and how it ends after an uncaught error.
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import type { Logger } from 'pino';

/** SIGHUP: the terminal it was started from has been closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Resolves with the first signal to stop. A second one ends the process at once, with exit code 143 or 130. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((done) => {
    let first = true;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        // A terminal that is closed may say so twice, itself and by its shell.
        if (!first && signal !== 'SIGHUP') endBy(signal, signal === 'SIGINT' ? 130 : 143);
        first = false;
        done(signal);
      });
    }
  });
}

/**
 * Runs some work when the first signal comes; then the process ends as it would have without.
 * @returns Removes the handlers.
 */
export function beforeEnd(work: () => void): () => void {
  const end = (signal: NodeJS.Signals) => {
    try {
      work();
    } finally {
      endBy(signal, 128 + constants.signals[signal]);
    }
  };
  for (const signal of SIGNALS) process.once(signal, end);
  return () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
}

/** Descriptors of standard input and output that are terminals. */
export const openTerminals = (): number[] => [0, 1, 2].filter((descriptor) => isatty(descriptor));

/**
 * Ends the process by SIGHUP if a terminal has been closed meanwhile, when all is done. At its own end Node would reset
 * that terminal, fail and abort, and the engine's handler of that signal never returns.
 * @param terminals Those that were open at the start.
 */
export function endWithTerminal(terminals: readonly number[]): void {
  if (terminals.some((descriptor) => !isatty(descriptor))) endBy('SIGHUP', 129);
}

/** An uncaught error leaves the process in an unknown state: it is logged, and the process ends. */
export function failLoudly(log: Logger): void {
  const die = (err: unknown) => {
    log.fatal({ err }, 'an unexpected error: the server stops at once');
    endBy('SIGKILL', 1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
}

/**
 * Ends the process by a signal without a handler: an exit of its own tidies up after the engine, and where threads of
 * that are at work it may wait for them for ever.
 * @param code For the first process of a container, which such signals do not end.
 */
function endBy(signal: NodeJS.Signals, code: number): never {
  for (const handled of SIGNALS) process.removeAllListeners(handled);
  process.kill(process.pid, signal);
  process.exit(code);
}
