// Everything in one script: for pages that pin it by its hash, as a hash on the loader would not cover what it imports; and for bundlers.
import { attend } from './attend.ts';
import { openQueue } from './commands.ts';
import { askByScript, sendPixels, watchVideos } from './rare/rare.ts';
import { start } from './start.ts';
import { show } from './ui/show.tsx';

/** Folders below the server's root that a script may lie in: a frozen version, or a path of an older installation. */
const FOLDERS = /(\/(\d+\.\d+\.\d+[^/]*|keys\/[^/]+))?\/[^/]*$/;

/** @param script The element that runs, as the document itself says: null in a module, and without an address in a bundle. */
export function startWhole(script: HTMLOrSVGScriptElement | null): void {
  const tag = script as HTMLScriptElement | null;
  if (tag?.src) {
    const { origin, pathname } = new URL(tag.src);
    startAt(tag, tag.dataset.server || origin + pathname.replace(FOLDERS, '/'));
  } else console.error('afterword: load this file by a <script src> of its own; in a bundle, import afterword/widget.');
}

/** @param server Root of the server's addresses; ends in "/". */
export function startAt(tag: HTMLElement, server: string): void {
  const parts: Record<string, unknown> = {
    page: { attend },
    list: { show },
    rare: { askByScript, sendPixels, watchVideos },
  };
  openQueue();
  navigator.afterword ||= start(tag, server, async (part) => parts[part]);
}
