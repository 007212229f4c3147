// Everything in one script: for pages that pin it by its hash, as a hash on the loader would not cover what it imports;
// for older installations; and for bundlers.
import { attend } from './attend.ts';
import { openQueue } from './commands.ts';
import { start } from './start.ts';
import { findTag } from './tag.ts';
import { show } from './ui/show.tsx';

/** Folders below the server's root that a script may lie in: a frozen version, or a path of an older installation. */
const FOLDERS = /(\/(\d+\.\d+\.\d+[^/]*|keys\/[^/]+))?\/[^/]*$/;

/** A part that is not in every whole: it is in the same file, or fetched; nothing where the file does without it. */
export type LoadPart = (part: string, server: string, query: string) => unknown;

/**
 * @param script The element that runs, as the document itself says: null in a module. Where it names no site, its
 * address does (`?site=`), or another script element.
 */
export function startWhole(script: HTMLOrSVGScriptElement | null, loadPart: LoadPart): void {
  const running = script as HTMLScriptElement | null;
  if (running?.src) running.dataset.site ||= new URL(running.src).searchParams.get('site') || '';
  const tag = findTag();
  const address = tag?.dataset.server || tag?.src;
  if (address) {
    const { origin, pathname } = new URL(address);
    startAt(tag!, origin + pathname.replace(FOLDERS, '/'), loadPart);
  } else console.error('afterword: data-site or data-server is missing.');
}

/** @param server Root of the server's addresses; ends in "/". */
export function startAt(tag: HTMLElement, server: string, loadPart: LoadPart): void {
  const parts: Record<string, unknown> = { page: { attend, show } };
  openQueue();
  navigator.afterword ||= start(tag, server, async (part, query = '') => parts[part] || loadPart(part, server, query));
}
