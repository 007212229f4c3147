// What a slot asks for, as the attributes of the slot and the tag say it.
import { MOST_POSTS, POSTS } from '../server/contract/attributes.ts';

/** What /related and /top have in common, and the filters of /top: attributes of the same name. */
export const FILTERS = 'limit section author tag days channel';

/** A whole number from 1 to MOST_POSTS, whatever an attribute says: POSTS where that is no number. */
export const toLimit = (given: unknown): never => Math.min((given as number) >>> 0 || POSTS, MOST_POSTS) as never;

/**
 * Address of a list. Equal addresses are one request. Half of a surrogate pair, which a page's script may write into an
 * attribute, is a replacement character: the loader asks for several lists at once, and none may throw.
 * @param path Address of the endpoint.
 * @param wanted Parameters: those of FILTERS that have a value, and `more`.
 * @param more Names of further parameters, a space after each.
 */
export const listUrl = (path: string, wanted: Readonly<Record<string, string | undefined>>, more = ''): string => {
  const query = new URLSearchParams({ apikey: wanted.site! });
  (more + FILTERS).split(' ').map((name) => wanted[name] && query.set(name, wanted[name]));
  // biome-ignore lint/style/useTemplate: the loader is counted in bytes
  return path + '?' + query;
};
