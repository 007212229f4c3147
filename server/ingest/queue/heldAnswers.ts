// Senders whose events are on the disk and who are not answered yet, because the engine will have their events in a moment and then
// they can be asked for. Nobody is held for long, and no crowd is held at all.
import type { LogFile } from './wal/writeAheadLog.ts';

export interface HeldAnswersOptions {
  /** Longest time somebody is held, in milliseconds. */
  patienceMs: number;
  /** Senders held at once. */
  most: number;
}

export interface HeldAnswers {
  /** Resolves when the senders of events in this file may be answered. */
  hold(file: LogFile, senders: number): Promise<void>;
  /** The engine has this file. */
  landed(file: LogFile): void;
  /** Answers everybody: their events are on the disk. */
  release(): void;
  /** Whether so many came in the last second that they could not be held. */
  crowded(): boolean;
}

/** A crowd lasts while so many times as many as may be held come in a second: an insert takes some tenths of one. */
const CROWD_MS = 1000;
const CROWD_PER_SECOND = 5;
const ANSWERED = Promise.resolve();

interface Held {
  file: LogFile;
  senders: number;
  answer(): void;
}

export function createHeldAnswers({ patienceMs, most }: HeldAnswersOptions): HeldAnswers {
  const held = new Set<Held>();
  let crowded = false;
  /** Senders since the second under way began. */
  let inSecond = 0;
  let second: NodeJS.Timeout | undefined;

  function answerFromDisk(groups: Iterable<Held>): void {
    for (const group of groups) {
      group.file.owed = true;
      group.answer();
    }
  }

  function beginSecond(): void {
    clearTimeout(second);
    inSecond = 0;
    second = setTimeout(() => {
      second = undefined;
      if (inSecond > most * CROWD_PER_SECOND) crowd();
      else crowded = false;
    }, CROWD_MS).unref();
  }

  function crowd(): void {
    crowded = true;
    beginSecond();
    answerFromDisk(held);
  }

  function hold(file: LogFile, senders: number): Promise<void> {
    return new Promise((go) => {
      const group: Held = {
        file,
        senders,
        answer() {
          clearTimeout(timer);
          held.delete(group);
          go();
        },
      };
      const timer = setTimeout(() => answerFromDisk([group]), patienceMs);
      held.add(group);
    });
  }

  return {
    hold(file, senders) {
      // Counted also while few are held: those of large batches are answered before they become many.
      if (second === undefined) beginSecond();
      inSecond += senders;
      if (crowded) {
        file.owed = true;
        return ANSWERED;
      }
      const answered = hold(file, senders);
      let all = 0;
      for (const group of held) all += group.senders;
      if (all > most) crowd();
      return answered;
    },
    landed(file) {
      for (const group of held) if (group.file === file) group.answer();
    },
    release: () => answerFromDisk(held),
    crowded: () => crowded,
  };
}
