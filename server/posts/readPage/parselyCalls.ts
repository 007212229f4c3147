// Which functions below `PARSELY` a page's own scripts call, by a search of their text: for the check of a page.

const MAX_NAMES = 50;

/** A dotted name before a bracket, each part bounded, with or without question marks. */
const CALL = /\bPARSELY((?:\??\.[A-Za-z_$][\w$]{0,60}){1,4})\s{0,4}(?:\?\.)?\(/g;
/** The page defines such a function itself. */
const DEFINED = /\bPARSELY((?:\.[A-Za-z_$][\w$]{0,60}){1,4})\s{0,4}=(?!=)/g;
/** What every function and object has. */
const BUILT_IN = /\.(?:call|apply|bind|hasOwnProperty|toString|valueOf)$/;

export interface ParselyCalls {
  /** Names without `PARSELY.`, each once, in the order they were met. */
  called: Set<string>;
  defined: Set<string>;
}

/**
 * Linear in the length of the script, which the caller bounds.
 * @param found What scripts before this one call; added to.
 */
export function findParselyCalls(script: string, found: ParselyCalls): void {
  if (!script.includes('PARSELY')) return;
  collect(script.matchAll(CALL), found.called);
  collect(script.matchAll(DEFINED), found.defined);
}

function collect(matches: Iterable<RegExpExecArray>, names: Set<string>): void {
  for (const [, path = ''] of matches) {
    const name = path.replaceAll('?', '').slice(1).replace(BUILT_IN, '');
    if (names.size < MAX_NAMES && !BUILT_IN.test(`.${name}`)) names.add(name);
  }
}
