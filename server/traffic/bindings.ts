// Values on their way into SQL. Nothing from outside is ever pasted into a statement: it gets a typed placeholder.

import type { SiteId } from '../sites/site.ts';

type BoundType =
  | 'String'
  | 'Array(String)'
  | 'Array(UInt64)'
  | 'Array(UInt32)'
  | 'Array(Date)'
  | 'Int64'
  | 'UInt32'
  | 'UInt64'
  | 'Date'
  | 'Float64';

/** Collects the values of one statement. */
export class Bindings {
  readonly params: Record<string, unknown>;
  #count = 0;

  /** @param site The site of the query: bound as `{site:String}`, by which the engine lets sites take turns. */
  constructor(site: SiteId) {
    this.params = { site };
  }

  /** @returns the placeholder that stands for the value, e.g. `{p3:String}`. */
  add(value: string | number | readonly (string | number | bigint)[], type: BoundType): string {
    const name = `p${this.#count++}`;
    this.params[name] = value;
    return `{${name}:${type}}`;
  }
}
