// Everything in one script: for pages that pin it by its hash, as a hash on the loader would not cover what it imports.
import * as page from './attend.ts';
import * as rare from './rare/rare.ts';
import { start } from './start.ts';
import * as list from './ui/show.tsx';

/** Folders below the server's root that a script may lie in: a frozen version, or a path of an older installation. */
const FOLDERS = /(\/(\d+\.\d+\.\d+[^/]*|keys\/[^/]+))?\/[^/]*$/;

export function startWhole(tag: HTMLScriptElement): void {
  const { origin, pathname } = new URL(tag.src);
  const server = tag.dataset.server || origin + pathname.replace(FOLDERS, '/');
  // The build leaves the parts their names here.
  const parts: Record<string, unknown> = { page, list, rare };
  window.afterword ||= [];
  window.afterword.host ||= start(tag, server, async (part) => parts[part]);
}
