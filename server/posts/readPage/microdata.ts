// schema.org data in microdata (`itemscope`, `itemtype`, `itemprop`), as nodes of the shape that JSON-LD has.
// @see https://html.spec.whatwg.org/multipage/microdata.html
import type { Node } from './jsonLdGraph.ts';

/** Bounds: no page states more than this in good faith. */
const MAX_ITEMS = 200;
const MAX_VALUES = 100;
const MAX_TEXT = 1_000;
const MAX_OPEN = 8;
/** Of schema.org's own. */
const PROPERTY = /^[A-Za-z]{1,50}$/;

interface Scope {
  node: Node;
  depth: number;
}

/** The text of an element, which is the value of properties. */
interface Value {
  of: Node;
  names: string[];
  depth: number;
  text: string;
}

/** Fed with the tags and texts of a page, in their order. */
export class Microdata {
  /** Items that are no property of another. */
  readonly top: Node[] = [];
  private items = 0;
  private readonly scopes: Scope[] = [];
  private readonly values: Value[] = [];

  open(element: string, attributes: Record<string, string>, depth: number): void {
    const owner = this.scopes.at(-1)?.node;
    const names = (attributes.itemprop ?? '')
      .split(/\s+/)
      .filter((name) => PROPERTY.test(name))
      .slice(0, 5);
    if (attributes.itemscope !== undefined && this.items < MAX_ITEMS) {
      this.items++;
      const node: Node = { '@type': attributes.itemtype?.trim().split(/\s+/).slice(0, 5) ?? [] };
      if (owner && names.length > 0) put(owner, names, node);
      else this.top.push(node);
      this.scopes.push({ node, depth });
      // The address of an item stands on a link, beside what is in it.
      const address = attributes.href ?? attributes.itemid;
      if (address !== undefined) put(node, ['@id'], address);
    } else if (owner && names.length > 0) {
      const said = attributeValue(element, attributes);
      if (said !== undefined) put(owner, names, said);
      else if (this.values.length < MAX_OPEN) this.values.push({ of: owner, names, depth, text: '' });
    }
  }

  text(text: string): void {
    for (const value of this.values) value.text += text.slice(0, MAX_TEXT - value.text.length);
  }

  close(depth: number): void {
    for (let value = this.values.at(-1); value && value.depth >= depth; value = this.values.at(-1)) {
      this.values.pop();
      put(value.of, value.names, value.text.trim());
    }
    for (let scope = this.scopes.at(-1); scope && scope.depth >= depth; scope = this.scopes.at(-1)) this.scopes.pop();
  }
}

/** What an element says by an attribute; undefined: its text is the value. */
function attributeValue(element: string, { content, datetime, href, src }: Record<string, string>): string | undefined {
  if (content !== undefined) return content;
  if (element === 'time') return datetime;
  if (element === 'a' || element === 'link' || element === 'area') return href;
  return ['img', 'audio', 'video', 'source', 'embed', 'iframe'].includes(element) ? src : undefined;
}

function put(node: Node, names: readonly string[], value: unknown): void {
  if (value === '') return;
  for (const name of names) {
    const known = node[name];
    const list: unknown[] = Array.isArray(known) ? known : [];
    if (list.length < MAX_VALUES) node[name] = [...list, value];
  }
}
