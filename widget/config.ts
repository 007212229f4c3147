// What a slot asks for, as the attributes of the slot and the tag say it.
import type { Settings } from './host.ts';

/** What /related and /top have in common, and the filters of /top: attributes of the same name. */
const FILTERS = '&limit=&section=&author=&tag=&days=&channel=';

/** Most posts of a list, as of a fragment: a page with millions of rows stands still. */
const MOST = 25;

/** `limit` is a whole number from 1 to MOST, whatever the attribute says: 5 where that is no number. */
export const toSettings = (tag: HTMLElement, slot: HTMLElement): Settings => {
  const given: Record<string, unknown> = { ...tag.dataset, ...slot.dataset };
  given.limit = Math.min((given.limit as number) >>> 0 || 5, MOST);
  return given as Settings;
};

/** Address of a list for everybody, without its parameters. */
export const topUrl = (root: string | URL, top: Settings): string => `${root}v2/top/${top.type || 'posts'}`;

/** A query, or an address that ends with one, of whose `&name=` those are left that have a value: with it. */
export const toQuery = (query: string, values: Settings): string =>
  query.replace(/&(\w+)=/g, (start, name) => (values[name] ? start + encodeURIComponent(values[name]) : ''));

/**
 * Address of a list, without what only /related knows. Equal addresses are one request.
 * @param path Address of the endpoint.
 */
export const listUrl = (path: string, wanted: Settings): string =>
  // biome-ignore lint/style/useTemplate: the minifier does not put one template into another
  (path + `?apikey=${wanted.site}${FILTERS}`).replace(/&(\w+)=/g, (start, name) =>
    wanted[name] ? start + encodeURIComponent(wanted[name]) : '',
  );
