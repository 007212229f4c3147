// What a slot asks for, as the attributes of the slot and the tag say it.
import { MOST_POSTS, POSTS } from '../server/contract/attributes.ts';
import type { Settings } from './host.ts';

/** What /related and /top have in common, and the filters of /top: attributes of the same name. */
export const FILTERS = 'limit section author tag days channel';

/** `limit` is a whole number from 1 to MOST_POSTS, whatever the attribute says: POSTS where that is no number. */
export const toSettings = (tag: HTMLElement, slot: HTMLElement): Settings => {
  const given: Record<string, unknown> = { ...tag.dataset, ...slot.dataset };
  given.limit = Math.min((given.limit as number) >>> 0 || POSTS, MOST_POSTS);
  return given as Settings;
};

/** Address of a list for everybody, without its parameters. */
export const topUrl = (root: string | URL, top: Settings): string => `${root}v2/top/${top.type || 'posts'}`;

/**
 * Address of a list. Equal addresses are one request. Half of a surrogate pair, which a page's script may write into an
 * attribute, is a replacement character: the loader asks for several lists at once, and none may throw.
 * @param path Address of the endpoint.
 * @param names Parameters, with spaces between; those without a value are left out.
 */
export const listUrl = (path: string, wanted: Readonly<Record<string, string | undefined>>, names: string): string => {
  const query = new URLSearchParams({ apikey: wanted.site! });
  names.split(' ').map((name) => wanted[name] && query.set(name, wanted[name]));
  // biome-ignore lint/style/useTemplate: shorter than the other way
  return path + '?' + query;
};
