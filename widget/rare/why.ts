// The why part: says in the console why a list does not show. It imports no code.
import { KINDS, LAYOUTS } from '../../server/contract/attributes.ts';
import type { ErrorBody } from '../../server/contract/wire.ts';
import type { Settings } from '../host.ts';

/** More than any sentence of ours: what is in it of an answer is data. */
const MAX_TEXT = 500;
const FILTERS = /^(section|author|tag|channel|exclude|pub_date_\w+|days|fill|respect_\w+)$/;

/** @param answer What the server said; undefined where nothing came. */
function explain(slot: HTMLElement, answer: unknown, server: string | URL): void {
  const settings = slot.afterword!;
  const element = slot.cloneNode() as HTMLElement;
  element.removeAttribute('style');
  const name = slot.id ? `#${slot.id}` : element.outerHTML;
  const text = `afterword: the ${settings.afterword} list (${name}) ${sentenceOf(settings, answer, server)}`;
  console.warn(text.replace(/\s+/g, ' ').slice(0, MAX_TEXT));
}

function sentenceOf(settings: Settings, answer: unknown, server: string | URL): string {
  const { afterword, layout = 'list', site } = settings;
  const { code, message, errors, data } = (answer || {}) as Partial<ErrorBody> & { data?: unknown };
  if (!KINDS.includes(afterword as never)) return `is of no known kind: use ${anyOf(KINDS)}.`;
  if (!LAYOUTS.includes(layout as never)) return `has no layout "${layout}": use ${anyOf(LAYOUTS)}.`;
  if (data) {
    const filters = Object.keys(settings).filter((name) => FILTERS.test(name));
    if (filters[0]) return `is empty: no post of ${site} passes data-${filters.join(', data-')}.`;
    return afterword === 'top'
      ? `is empty: no known post of ${site} was viewed in 24 hours; data-days looks further back.`
      : `is empty: no other post of ${site} is known yet. Pages become known about 10 s after they are first viewed; ${server}preview checks a page.`;
  }
  if (code === 403) return `is refused: ${server} has no site "${site}", or its lists are off.`;
  if (errors) return `is refused: ${Object.entries(errors).map(([name, reasons]) => `${name}: ${reasons}`)}`;
  if (code) return `is refused: ${code} ${message}`;
  return `has no answer: ${server} is away or blocked. A page's policy names it in connect-src and script-src.`;
}

const anyOf = (names: readonly string[]): string => names.join(', ').replace(/,( \w+)$/, ' or$1');

export { explain as run };
