// Everything in one script: for pages that pin it by its hash, as a hash on the loader would not cover what it imports; and for bundlers.
import { attend } from './attend.ts';
import { openQueue } from './commands.ts';
import { askByScript, sendPixels, watchVideos } from './rare/rare.ts';
import { start } from './start.ts';
import { findTag } from './tag.ts';
import { show } from './ui/show.tsx';

/** Folders below the server's root that a script may lie in: a frozen version, or a path of an older installation. */
const FOLDERS = /(\/(\d+\.\d+\.\d+[^/]*|keys\/[^/]+))?\/[^/]*$/;

/**
 * @param script The element that runs, as the document itself says: null in a module. Where it names no site, its address does
 * (`?site=`), or another script element.
 */
export function startWhole(script: HTMLOrSVGScriptElement | null): void {
  const running = script as HTMLScriptElement | null;
  if (running?.src) running.dataset.site ||= new URL(running.src).searchParams.get('site') || '';
  const tag = findTag();
  const address = tag?.dataset.server || tag?.src;
  if (address) {
    const { origin, pathname } = new URL(address);
    startAt(tag!, origin + pathname.replace(FOLDERS, '/'));
  } else console.error('afterword: the script needs data-site and data-server.');
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
