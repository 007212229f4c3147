// The script tag's own file: it starts the loader with the tag's attributes.

import { start } from './start.ts';
import { ofDocument } from './unclobbered.ts';

// Set by the build.
declare const PARTS_ENDING: string;

// The element that runs; in a module, or in a file with other scripts, where that is not known or says no site, the
// first script element of the document that does. `scripts` holds nothing but script elements, whatever names a page
// gives to others.
for (const tag of [ofDocument('currentScript') as HTMLScriptElement | null, ...ofDocument('scripts')]) {
  let address: string | URL | undefined = tag?.dataset.site && (tag.dataset.server || tag.src);
  // A second copy of the script on the page does nothing.
  navigator.afterword ||=
    address &&
    start(
      tag!,
      // biome-ignore lint/suspicious/noAssignInExpressions: the loader is counted in bytes
      (address = new URL('.', address)),
      (file, query = '') => import(/* @vite-ignore */ address + file + PARTS_ENDING + query),
    );
}
