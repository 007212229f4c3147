// Changes of a site by the interface: tried or made, and refused at the field that is wrong.
import type { Deps } from '../context.ts';
import { InputError } from '../inputError.ts';
import type { Site } from '../sites/site.ts';
import { BadParameters } from './errors.ts';

/**
 * @param change.dry_run true: changes nothing. Default: false.
 * @returns The site after the change; in a dry run, as it would be.
 */
export const changeSite = async (
  { sites }: Pick<Deps, 'sites'>,
  site: Site,
  { alter, dry_run }: { alter: (site: Site) => Site; dry_run?: boolean | undefined },
): Promise<Site> => (dry_run ? alter(site) : await sites.change(site.id, alter));

/** @throws {BadParameters} under the path of a field, where an input is refused. */
export async function orBadParameters<T>(field: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new BadParameters({ [error.field === undefined ? field : `${field}.${error.field}`]: [error.message] });
  }
}
