// What a slot asks for, as the attributes of the slot and the tag say it.
import type { Settings } from './host.ts';

/** Filters that /related and /top have in common, and those of /top: attributes of the same name. */
const FILTERS = 'section,author,tag,days,channel';

/** Posts fetched beyond those a slot shows: some are on another list already, one may be the page itself. */
const SPARE = 5;

export function toSettings(tag: HTMLElement, slot: HTMLElement): Settings {
  // Made a number wherever it is used; the loader is counted in bytes.
  const defaults = { limit: 5 } as unknown as Settings;
  return { ...defaults, ...tag.dataset, ...slot.dataset };
}

/** Address of the list of a slot, without what only /related knows. Equal addresses are one request. */
export function listUrl(server: string | URL, settings: Settings): string {
  const path = settings.afterword === 'top' ? `top/${settings.type || 'posts'}` : 'related';
  const url = new URL(`v2/${path}?apikey=${settings.site}&limit=${+settings.limit! + SPARE}`, server);
  for (const name of FILTERS.split(',')) if (settings[name]) url.searchParams.set(name, settings[name]);
  return url.href;
}
