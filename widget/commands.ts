// What a page can ask of us: `(window.afterword ||= []).push((afterword) => …)`, before or after the script is here.
import type { Action, IncomingEvent } from '../server/contract/wire.ts';
import { data, host, ofWindow } from './page.ts';
import { reportReading } from './track/engaged.ts';
import { report } from './track/queue.ts';
import { countView, train } from './track/view.ts';
import type { Card } from './ui/records.ts';
import { forget, setConsent, visitor } from './visitor.ts';

/** What a component returns: an element made by `create`, text, a number, a list of these, or nothing. */
export type Drawn = object | string | number | bigint | boolean | null | undefined;

/** Preact's `h`, in types that need no package: a tag or a component, its properties, its children. */
export type Create = (
  type: string | ((props: never) => Drawn),
  props?: Record<string, unknown> | null,
  ...children: Drawn[]
) => Drawn & object;

/** Draws the content of an item. Text given to `create` stays text; the link is the caller's to make. */
export type DrawCard = (card: Card, create: Create) => Drawn;

export let drawCard: DrawCard | undefined;

/** What `push` is given, and what `window.afterword` has as methods once the script is here. */
export interface Afterword {
  /** Runs the functions at once, with this object. */
  push(...calls: ((afterword: Afterword) => void)[]): void;
  /**
   * Makes an element a slot, or shows a slot anew. Resolves with the event its list comes to rest with:
   * `afterword:render`, `afterword:empty` or `afterword:error`. A slot far from the window waits until it comes near.
   */
  render(slot: HTMLElement): Promise<Event>;
  /** Asks for every list of the page anew; what is shown stays until the new list is there. */
  refresh(): void;
  /** Counts a view of this page, although it was counted already: for pages that change without a new address. */
  view(): Promise<void>;
  /** Adds a visit of a page to the profile of this reader. Default: this page. */
  train(url?: string): Promise<void>;
  /** What the reader decided. No: the id is deleted. Holds for this page: say it on every page. */
  consent(given: boolean): Promise<void>;
  /** The reader's id; undefined where ids are not allowed. */
  visitor(): Promise<string | undefined>;
  /** Deletes the reader's id, and makes none again on this page. @throws when storage refuses. */
  forget(): Promise<void>;
  /** Listens to `load`, `render`, `empty`, `error`, `impression` or `click` of any list. @returns the way to stop. */
  on(type: string, listener: (event: Event) => void): () => void;
  /**
   * Draws every item from now on. Called with a post and Preact's `h`; where it fails or returns nothing, the item is
   * drawn as usual.
   */
  draw(draw: DrawCard): void;
  /** Reports a conversion, e.g. `newsletter_signup`, `subscription`, `custom`. */
  conversion(type: string, label?: string): void;
  /** Reports an event of any kind. @param event What it says. Default of `url`: the page that was counted last. */
  report(action: Action, event?: Partial<IncomingEvent>): void;
}

/** Calls a function of the page: its mistakes are the page's, and cost neither its other calls nor the lists. */
function guard<Given extends unknown[], Result>(
  call: (...given: Given) => Result,
  ...given: Given
): Result | undefined {
  try {
    return call(...given);
  } catch (error) {
    return reportError(error) as undefined;
  }
}

/** The page's queue: made where there is none, and where an element of that name stands in its place. */
export const openQueue = (): unknown[] => (window.afterword = ofWindow<unknown[]>('afterword') || []);

export function openCommands(refresh: () => void): void {
  const afterword: Afterword = {
    push: (...calls) => {
      for (const call of calls) guard(call, afterword);
    },
    render(slot) {
      slot.dataset.afterword ||= 'related';
      const rests = new Promise<Event>((resolve) => {
        for (const type of ['render', 'empty', 'error']) slot.addEventListener(`afterword:${type}`, resolve);
      });
      host._scan();
      host._near!.observe(slot);
      return rests;
    },
    refresh,
    view: () => countView(true),
    train,
    async consent(given) {
      // Of the time before the answer: dropped where nothing was reported in it.
      if (given) reportReading();
      setConsent(given);
      await (given ? countView() : forget().catch(host._report));
    },
    visitor,
    forget,
    on(type, listener) {
      addEventListener(`afterword:${type}`, listener);
      return () => removeEventListener(`afterword:${type}`, listener);
    },
    draw(draw) {
      drawCard = (card, create) => guard(draw, card, create);
    },
    conversion(type, label) {
      report('conversion', { data: { _conversion_type: type, _conversion_label: label } });
    },
    report,
  };
  const queue = openQueue() as ((afterword: Afterword) => void)[];
  // Defined, not assigned: what a page has frozen in the prototype of its arrays, as `push`, cannot be assigned.
  Object.defineProperties(queue, Object.getOwnPropertyDescriptors(afterword));
  afterword.push(...(queue.splice?.(0) || []));
  if (data().debug) host._report = (...what) => console.warn('afterword:', ...what);
}
