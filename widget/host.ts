// What the loader knows and hands to the page part. Names with `_` are shortened by the build, alike in every file.
import type { SettingName } from '../server/contract/attributes.ts';

export interface Host {
  /** Carries the defaults: the script element, or a stand-in made by the ES module. */
  _tag: HTMLElement;
  /** Root of the server's addresses; ends in "/". */
  _server: string | URL;
  /** Shows the list of a slot that comes near the window, once for each call of `observe`. Set by the page part. */
  _near?: IntersectionObserver;
  /** Answers by address, under way or here. Forgotten by a refresh and by a navigation. */
  _answers: Record<string, Promise<unknown>>;
  /**
   * Address of the view counted last, to which all other events belong. Campaign parameters stay on it: the server
   * takes them off after reading them.
   */
  _viewed?: string;
  /** Notes what readers saw of lists, and begins anew where another page view follows. Set by the list part. */
  _look?: (isNewView?: boolean) => void;
  /** The slots of the page, as they are now. */
  _slots(): NodeListOf<HTMLElement>;
  /** What a slot requests, as its attributes and the tag's say now. */
  _read(slot: HTMLElement): Settings;
  /** Address of a list: `listUrl`. */
  _url(path: string, wanted: Readonly<Record<string, string | undefined>>, more?: string): string;
  /** Finds, reserves and watches the slots that are new on the page. */
  _scan(): void;
  /**
   * Fetches a part by its name: `page`, `list`, `rare`, `row`, `video` or `languages`. Undefined where the one file has
   * none.
   * @param query Ends its address.
   */
  _load(part: string, query?: string): Promise<unknown>;
  /** Logs an error to the console. */
  _report(...what: unknown[]): void;
}

/** The parts that are fetched when they are needed. */
export interface PagePart extends Partial<ListPart> {
  /** `this` is the list part, too, where both are one file. */
  attend(this: PagePart, host: Host): void;
}
export interface ListPart {
  /** @param answer Undefined where none came. @returns true where none came, or the server is in trouble. */
  show(slot: HTMLElement, settings: Settings, answer: Promise<unknown>): Promise<unknown>;
}

/** Attributes without their `data-`: those of the slot over those of the tag. `afterword` is the kind of list. */
export type Settings = Readonly<Partial<Record<SettingName, string | undefined>>>;

declare global {
  interface Window {
    /** The queue before the script is here, the programming interface afterwards. */
    afterword?: unknown[];
  }
  interface Navigator {
    /**
     * Set by the first copy of the script: a second one does nothing. Not on the window, where an element's `id` is a
     * property.
     */
    afterword?: unknown;
  }
  interface HTMLElement {
    /**
     * On a slot that is reserved and observed: what it asked for then, or when its list was last shown. Copies are new
     * slots.
     */
    afterword?: Settings;
  }
}
