// The script tag's own file, a classic script: `document.currentScript` is known only while it runs.
import { start } from './start.ts';

// Set by the build.
declare const PARTS: string;

const tag = document.currentScript as HTMLScriptElement;
const folder = new URL('.', tag.src);
// A second copy of the script on the page does nothing.
// biome-ignore lint/suspicious/noAssignInExpressions: the loader is counted in bytes
(self.afterword ||= []).host ||= start(tag, folder, (file) => import(/* @vite-ignore */ folder + file + PARTS));
