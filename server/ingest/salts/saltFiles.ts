// Writes the files of salts, and retries where the disk is full or read-only: at midnight that neither ends the server
// nor refuses an event.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';

/** Replaces a file of salts, for its owner only. */
export type WriteSalt = (file: string, text: string) => void;

export interface SaltFiles {
  /** Never throws: what failed is retried by `writeAgain`. */
  write: WriteSalt;
  /** Retries the files that could not be written. */
  writeAgain(): void;
}

export function createSaltFiles(log: Logger): SaltFiles {
  /** Text by file. */
  const waiting = new Map<string, string>();

  function tryWriting(file: string, text: string): void {
    try {
      // A start writes what the file has already: replacing it on a full disk would lose it.
      if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeSalt(file, text);
      waiting.delete(file);
    } catch (err) {
      waiting.set(file, text);
      const effect = 'after a restart before that, visitors without an id are new ones';
      log.warn({ err, file }, `the salt of the day cannot be written, and is tried again each minute: ${effect}`);
      erase(file);
    }
  }

  /** Salts of earlier days leave the disk with their day, also where there is no room for the next one. */
  function erase(file: string): void {
    try {
      rmSync(file, { force: true });
    } catch (err) {
      log.warn({ err, file }, 'the salts of earlier days cannot be erased from the disk yet');
    }
  }

  return {
    write: tryWriting,
    writeAgain() {
      for (const [file, text] of waiting) tryWriting(file, text);
    },
  };
}

/** @throws the error of the disk. */
export function writeSalt(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, text, { mode: 0o600, flag: 'wx' });
  renameSync(next, file);
}
