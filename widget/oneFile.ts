// Everything in one classic script, for pages that pin it by its hash: a hash on the loader would not cover what it imports.
import * as page from './attend.ts';
import { start } from './start.ts';
import * as list from './ui/show.tsx';

const tag = document.currentScript as HTMLScriptElement;
window.afterword ||= [];
window.afterword.host ||= start(tag, tag.dataset.server || new URL('.', tag.src).href, {
  _page: async () => page,
  _list: async () => list,
});
