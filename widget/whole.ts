// Everything in one script: for pages that pin it by its hash, as a hash on the loader would not cover what it imports.
import * as page from './attend.ts';
import { start } from './start.ts';
import * as list from './ui/show.tsx';

/** Folders below the server's root that a script may lie in: a frozen version, or a path of an older installation. */
const FOLDERS = /(\/(\d+\.\d+\.\d+[^/]*|keys\/[^/]+))?\/[^/]*$/;

export function startWhole(tag: HTMLScriptElement): void {
  const { origin, pathname } = new URL(tag.src);
  const server = tag.dataset.server || origin + pathname.replace(FOLDERS, '/');
  window.afterword ||= [];
  window.afterword.host ||= start(tag, server, { _page: async () => page, _list: async () => list });
}
