// The script element that carries the widget's attributes.
import { ofDocument } from './unclobbered.ts';

/**
 * The element that runs; in a module, or in a file with other scripts, where that is not known or says no site, the
 * first script element of the document with `data-site`. `scripts` holds nothing but script elements, whatever names a
 * page gives to others.
 */
export const findTag = (): HTMLScriptElement | undefined => {
  let tag: HTMLScriptElement | undefined;
  // Not by a method of lists, which old libraries replace.
  for (const script of [ofDocument('currentScript') as HTMLScriptElement | null, ...ofDocument('scripts')])
    if (script?.dataset.site) tag ||= script;
  return tag;
};
