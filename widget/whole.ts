// Everything in one script: for pages that pin it by its hash, as a hash on the loader would not cover what it imports; and for bundlers.
import { attend } from './attend.ts';
import { askByScript, sendPixels, watchVideos } from './rare/rare.ts';
import { start } from './start.ts';
import { show } from './ui/show.tsx';

/** Folders below the server's root that a script may lie in: a frozen version, or a path of an older installation. */
const FOLDERS = /(\/(\d+\.\d+\.\d+[^/]*|keys\/[^/]+))?\/[^/]*$/;

export function startWhole(tag: HTMLScriptElement): void {
  const { origin, pathname } = new URL(tag.src);
  startAt(tag, tag.dataset.server || origin + pathname.replace(FOLDERS, '/'));
}

/** @param server Root of the server's addresses; ends in "/". */
export function startAt(tag: HTMLElement, server: string): void {
  const parts: Record<string, unknown> = {
    page: { attend },
    list: { show },
    rare: { askByScript, sendPixels, watchVideos },
  };
  window.afterword ||= [];
  window.afterword.host ||= start(tag, server, async (part) => parts[part]);
}
