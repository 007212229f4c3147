// The script tag's own file, a classic script: `document.currentScript` is known only while it runs.
import { start } from './start.ts';

// Set by the build.
declare const PAGE_FILE: string;
declare const LIST_FILE: string;

const tag = document.currentScript as HTMLScriptElement;
const folder = new URL('.', tag.src);
// A second copy of the script on the page does nothing.
window.afterword ||= [];
window.afterword.host ||= start(tag, folder, {
  _page: () => import(/* @vite-ignore */ folder + PAGE_FILE),
  _list: () => import(/* @vite-ignore */ folder + LIST_FILE),
});
