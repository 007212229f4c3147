// Elements of ours in a page's markup: what they say, and whether the list of a slot came with the page.

/** An element with what it says in `data-` attributes. */
export interface DataTag {
  element: string;
  /** Without `data-`. */
  data: Record<string, string>;
  /** Names of its other attributes, on an element of ours. */
  bare: string[];
}

/** An element that asks for a list, and what is said of its place. */
export interface SlotTag extends DataTag {
  /** Characters of text above it. */
  textAbove: number;
  /** Its room is there from the start: its `style` names a height, or its list came with the page. */
  hasRoom: boolean;
}

/** Most attributes looked at of one element of ours, and of each the beginning. */
const MAX_ATTRIBUTES = 60;
const MAX_DATA = 2_000;

/** A list that a fragment has brought: what it says is of other posts. */
const LIST = /^nav (?:related|top)-/;

export class Slots {
  private opened: { slot: Omit<SlotTag, 'textAbove'>; depth: number } | undefined;
  private listDepth: number | undefined;

  /** Inside a list that came with the page. */
  get isInList(): boolean {
    return this.listDepth !== undefined;
  }

  /** @returns a slot, where the element is one. */
  open(name: string, attributes: Record<string, string>, depth: number): Omit<SlotTag, 'textAbove'> | undefined {
    if (name === 'nav' && !this.isInList && LIST.test(attributes.part ?? '')) {
      this.listDepth = depth;
      if (this.opened) this.opened.slot.hasRoom = true;
    }
    if (attributes['data-afterword'] === undefined && !name.startsWith('afterword-')) return undefined;
    const hasRoom = /\bheight\s*:/.test((attributes.style ?? '').slice(0, MAX_DATA));
    this.opened = { slot: { ...toDataTag(name, attributes), hasRoom }, depth };
    return this.opened.slot;
  }

  close(depth: number): void {
    if (this.listDepth === depth) this.listDepth = undefined;
    if (this.opened?.depth === depth) this.opened = undefined;
  }
}

export function toDataTag(element: string, attributes: Record<string, string>): DataTag {
  const names = Object.keys(attributes).slice(0, MAX_ATTRIBUTES);
  const data = names.flatMap((name) =>
    name.startsWith('data-') ? [[name.slice(5), attributes[name]!.slice(0, MAX_DATA)]] : [],
  );
  const bare = element.startsWith('afterword-') ? names.filter((name) => !name.startsWith('data-')) : [];
  return { element, data: Object.fromEntries(data), bare };
}
