// `afterword/widget`, the ES module for sites that are bundled: the same widget without a script tag. Importing it does
// nothing.
import type { SlotAttributes } from '../server/contract/attributes.ts';
import type { Afterword } from './commands.ts';
import { ofDocument } from './unclobbered.ts';
import { startAt } from './whole.ts';

export type { Afterword, Create, DrawCard, Drawn } from './commands.ts';
export type { Card } from './ui/records.ts';

/** Chunks of their own, for bundlers to split off: few pages need them. */
const PARTS: Record<string, (() => Promise<unknown>) | undefined> = {
  rare: () => import('./rare/rare.ts'),
  template: () => import('./rare/services.ts'),
  alternatives: () => import('./rare/alternatives.ts'),
  experiment: () => import('./rare/experiment.ts'),
  fit: () => import('./rare/fit.ts'),
  room: () => import('./rare/room.ts'),
  why: () => import('./rare/why.ts'),
  arrows: () => import('./rare/arrows.ts'),
  languages: () => import('./rare/languages.ts'),
  scripts: () => import('./rare/scripts.ts'),
  videos: () => import('./rare/videos.ts'),
};

/**
 * What stands on the script tag elsewhere. Each also takes the defaults of slots, as attributes without `data-`, in
 * camel case.
 */
export interface Options {
  /** Address of the Afterword server, e.g. `https://stats.example.com/`. */
  server: string;
  /** Site ID. */
  site: string;
  /** `required`: no id and no reports before `consent(true)`. Default: no consent is needed. */
  consent?: 'required';
  /** An id of your own for this reader. Default: one is made and kept. */
  visitor?: string;
  /** The page's address where it cannot be read off. Default: the canonical link, else the address. */
  url?: string;
  /** What is reported, words with spaces between. Default: everything. */
  track?: string;
  /** How lists are fetched. Default: CORS first. */
  transport?: 'jsonp';
  /** `1` says causes in the console. */
  debug?: '1';
  /** Nonce of the page's policy, for JSON-P. */
  nonce?: string;
  /** Defaults of slots: `limit`, `layout`, `headingLevel`, … */
  [attribute: string]: string | undefined;
}

/** Attributes of a slot; docs/attributes.md says what each means. Numbers may be written as numbers. */
export type SlotProps = SlotAttributes;

/**
 * Starts the widget: counts the page view, and fills the slots that are and will be on the page. In a browser only.
 * @returns what the page can ask of it; of the first copy on the page, whose options hold for all.
 * @throws {TypeError} when `server` is no address.
 */
export function start({ server, nonce, ...settings }: Options): Promise<Afterword> {
  const tag = ofDocument('createElement').call(document, 'script') as HTMLScriptElement;
  if (nonce) tag.nonce = nonce;
  for (const [name, value] of Object.entries(settings)) if (value !== undefined) tag.dataset[name] = value;
  startAt(tag, new URL(`${server}/`).href.replace(/\/+$/, '/'), (part) => PARTS[part]?.());
  return new Promise((resolve) => {
    (window.afterword as unknown as Afterword).push(resolve);
  });
}
