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

/** An OpenID Connect provider that one can sign in with. */
export interface SignInProvider {
  name: string;
  /** Relative address that begins; it has the site and the query of this page, which is shown afterwards. */
  href: string;
}

export function providerOf(): SignInProvider | undefined {
  const name = document.getElementById('app')?.dataset.oidc;
  if (name === undefined) return undefined;
  const { root, site } = placeOf();
  const query = new URLSearchParams(location.search);
  if (site !== undefined) query.set('site', site);
  return { name, href: `${root}oidc${query.size === 0 ? '' : `?${query}`}` };
}
