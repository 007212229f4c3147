// What the claims of an account at an OpenID Connect provider open in the console: grants that the operator configures.
// A session that was opened by a grant has the grant's hash where others have that of a secret, and is valid while a
// configured grant has that hash.
import { createHash } from 'node:crypto';
import type { Site } from '../../sites/site.ts';

export const ROLES = ['operator', 'act', 'read'] as const;
export type Role = (typeof ROLES)[number];

/** Grants that are for every site. */
export const EVERY_SITE = '*';

export interface Access {
  /** Name of a claim; its value is a text or a list of texts. */
  claim: string;
  /** What the claim has to be, or hold. Of the claim `email` also `*@example.com`: all addresses of a domain. */
  value: string;
  role: Role;
  /** Site ID, or `*` for all; the operator's is `*`. */
  site: string;
}

export interface Grant extends Access {
  /** SHA-256 in hex of the grant, its provider and our client there. */
  hash: string;
}

export type Claims = Readonly<Record<string, unknown>>;

/** Grants of a provider, each with its hash. */
export const toGrants = (provider: { issuer: string; clientId: string }, accesses: readonly Access[]): Grant[] =>
  accesses.map(({ claim, value, role, site }) => {
    const identity = JSON.stringify(['oidc', provider.issuer, provider.clientId, claim, value, role, site]);
    return { claim, value, role, site, hash: createHash('sha256').update(identity).digest('hex') };
  });

/** Those that the claims of an account match. */
export const matching = (claims: Claims, grants: readonly Grant[]): Grant[] =>
  grants.filter((grant) => matches(claims, grant));

function matches(claims: Claims, { claim, value }: Access): boolean {
  const held = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (claim === 'email') return claims.email_verified === true && isAddress(held, value);
  return Array.isArray(held) ? held.includes(value) : held === value;
}

/** Addresses are compared without regard to the case of ASCII letters: others have look-alikes. */
function isAddress(held: unknown, value: string): boolean {
  if (typeof held !== 'string') return false;
  const [address, wanted] = [lowered(held), lowered(value)];
  return wanted.startsWith('*@')
    ? /^[^@\s]+@[^@\s]+$/.test(address) && address.endsWith(wanted.slice(1))
    : address === wanted;
}

const lowered = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** The strongest of some grants, for one site or for the server. */
const strongest = (grants: readonly Grant[]): Grant | undefined =>
  ROLES.flatMap((role) => grants.filter((grant) => grant.role === role))[0];

const covers = ({ site }: Access, id: string): boolean => site === EVERY_SITE || site === id;

/** One session that an account opens. */
export type Opening =
  | { role: 'operator'; grant: Grant; site: Site | undefined }
  | { role: 'act' | 'read'; grant: Grant; site: Site };

/** The account opens one of these sites, once it is asked, or none. */
export interface Choice {
  role: undefined;
  sites: readonly Site[];
}

/**
 * What the grants of an account open. The operator's opens the server, whatever site is asked.
 * @param of.asked Site ID. undefined: the account's only site.
 */
export function openingOf(
  held: readonly Grant[],
  { sites, asked }: { sites: readonly Site[]; asked: string | undefined },
): Opening | Choice {
  const first = strongest(held);
  const named = sites.find(({ id }) => id === asked);
  if (first?.role === 'operator') return { role: 'operator', grant: first, site: named };
  const open = sites.filter(({ id }) => held.some((grant) => covers(grant, id)));
  const site = asked === undefined && open.length === 1 ? open[0] : open.find(({ id }) => id === asked);
  const grant = site && strongest(held.filter((each) => covers(each, site.id)));
  if (site === undefined || grant === undefined) return { role: undefined, sites: open };
  return { role: grant.role === 'act' ? 'act' : 'read', grant, site };
}

/** What a session, or a link that it made, needs in order to be valid. */
export interface Needed {
  hash: string;
  roles: readonly Role[];
  /** Site ID; "" of the operator's. */
  site: string;
}

/** Whether a configured grant has a hash, and still opens what is needed. */
export const isGranted = (grants: readonly Grant[], { hash, roles, site }: Needed): boolean =>
  grants.some((grant) => grant.hash === hash && roles.includes(grant.role) && covers(grant, site));
