// Parts that few lists need, each with one function, `run`. A list does without one that is not there: the file that
// pages pin by its hash fetches none.
import { host } from '../attend.ts';
import type { run as assignAlternatives } from '../rare/alternatives.ts';
import type { run as addArrows } from '../rare/arrows.ts';
import type { run as showVariant } from '../rare/experiment.ts';
import type { run as fitList } from '../rare/fit.ts';
import type { run as dressInLanguage } from '../rare/languages.ts';
import type { run as releaseRoom } from '../rare/room.ts';
import type { run as playMarks } from '../rare/videos.ts';
import type { run as explain } from '../rare/why.ts';

interface Extras {
  alternatives: typeof assignAlternatives;
  arrows: typeof addArrows;
  experiment: typeof showVariant;
  fit: typeof fitList;
  languages: typeof dressInLanguage;
  room: typeof releaseRoom;
  videos: typeof playMarks;
  why: typeof explain;
}

/** Runs a part. Undefined where it is not there. */
export const extra = async <Name extends keyof Extras>(
  name: Name,
  ...given: Parameters<Extras[Name]>
): Promise<Awaited<ReturnType<Extras[Name]>> | undefined> => {
  const part = (await host._load(name).catch(host._report)) as { run(...given: unknown[]): never } | undefined;
  return part?.run(...given);
};
