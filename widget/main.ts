// The script tag's own file: it starts the loader with the tag's attributes.

import { start } from './start.ts';
import { ofDocument } from './unclobbered.ts';

// Set by the build.
declare const PARTS_ENDING: string;

// The element that runs; in a module, or in a file with other scripts, where that is not known or says no site, the
// first script element of the document that does. `scripts` holds nothing but script elements, whatever names a page
// gives to others.
for (const tag of [ofDocument('currentScript') as HTMLScriptElement | null, ...ofDocument('scripts')]) {
  const address = tag?.dataset.site && (tag.dataset.server || tag.src);
  const folder = address && new URL('.', address);
  // A second copy of the script on the page does nothing.
  navigator.afterword ||=
    folder && start(tag, folder, (file) => import(/* @vite-ignore */ folder + file + PARTS_ENDING));
}
