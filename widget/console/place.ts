// Where a page of the console is: at its root, or, for the operator, in the folder of one site below it.

export interface Place {
  /** Relative address of the console's folder; "" at the root. */
  root: string;
  /** As the address has it: it may be none. undefined: the page is about no site in particular. */
  site: string | undefined;
}

export function placeOf(): Place {
  const root = document.getElementById('app')?.dataset.root;
  if (root === undefined) return { root: '', site: undefined };
  return { root, site: location.pathname.split('/').at(-2) };
}
