// The layout of a row. Its arrows come after it, where they can be fetched.
import type { LookPart } from '../ui/root.tsx';
import type * as Arrows from './arrows.ts';
import css from './row.css?inline';

/** Set by the build: false in the file that fetches nothing. */
declare const EXTRAS: boolean;

export const dress: LookPart['dress'] = (_look, root, _language, load) => {
  if (EXTRAS && root instanceof ShadowRoot)
    load('arrows').then(
      (part) => (part as typeof Arrows | undefined)?.addArrows(root),
      () => {},
    );
  return css;
};
