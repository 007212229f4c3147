// The salts that the copies of the server have agreed on, kept in a file as well: a copy that starts while the database
// is away uses them, so that a reader of several copies stays one reader.
import { readFileSync } from 'node:fs';
import { hasCode } from '../../errors.ts';
import type { WriteSalt } from './saltFiles.ts';

const LINE = /^(\d+) ([0-9a-f]{64})$/;

export interface AgreedSalts {
  /** @param day Days since 1970, UTC. */
  get(day: number): string | undefined;
  set(day: number, salt: string): void;
  /** Erases the salts of earlier days, in memory and on the disk. */
  dropBefore(day: number): void;
}

/** @param file Undefined: in memory only. */
export function openAgreedSalts(file: string | undefined, writeSalt: WriteSalt): AgreedSalts {
  const salts = new Map(file === undefined ? [] : readSalts(file));

  function write(): void {
    if (file !== undefined) writeSalt(file, [...salts].map(([day, salt]) => `${day} ${salt}\n`).join(''));
  }

  return {
    get: (day) => salts.get(day),
    set(day, salt) {
      if (salts.get(day) === salt) return;
      salts.set(day, salt);
      write();
    },
    dropBefore(day) {
      const over = [...salts.keys()].filter((each) => each < day);
      for (const each of over) salts.delete(each);
      if (over.length > 0) write();
    },
  };
}

function readSalts(file: string): [day: number, salt: string][] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line): [number, string][] => {
        const [, day, salt] = LINE.exec(line) ?? [];
        return day === undefined || salt === undefined ? [] : [[Number(day), salt]];
      });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
