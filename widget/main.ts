// The script tag's own file, a classic script: the element that runs is known only while it runs.

import { start } from './start.ts';
import { ofDocument } from './unclobbered.ts';

// Set by the build.
declare const PARTS_ENDING: string;

const tag = ofDocument('currentScript') as HTMLScriptElement | null;
// Undefined in a module, or where the code is not in a file of its own: nothing is thrown into what is around it.
const folder = tag?.src && new URL('.', tag.src);
// A second copy of the script on the page does nothing.
navigator.afterword ||= folder && start(tag, folder, (file) => import(/* @vite-ignore */ folder + file + PARTS_ENDING));
