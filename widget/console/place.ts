// Where a page of the console is: at its root, or, for the operator, in the folder of one site below it.

export interface Place {
  /** Relative address of the console's folder; "" at the root. */
  root: string;
  /** As the address has it: it may be none. undefined: the page is about no site in particular. */
  site: string | undefined;
  /** Whose figures are shown. undefined: none are yet. */
  shown: string | undefined;
}

export function placeOf(): Place {
  const { root, site: shown } = document.getElementById('app')?.dataset ?? {};
  if (root === undefined) return { root: '', site: undefined, shown };
  return { root, site: location.pathname.split('/').at(-2), shown };
}

/** Address of the server's root, without a slash at its end, relative to the page. */
export const serverRoot = (): string => `${placeOf().root}..`;

/** Address that readers reach the server at, without a slash at its end. Default: that of this page. */
export function publicAddress(): string {
  const { server } = document.getElementById('app')!.dataset;
  return server ?? new URL(serverRoot(), location.href).href.replace(/\/$/, '');
}

/**
 * Keeps on the element of the page whose figures it shows: its requests name the site, and are refused once a sign-in
 * in another tab has replaced the session by that of another site.
 */
export function showSite(site: string | undefined): void {
  const { dataset } = document.getElementById('app')!;
  if (site === undefined) delete dataset.site;
  else dataset.site = site;
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
