// JSON-LD blocks as one graph: what stands at the top of each, what its `@graph` holds, and every node that has a name.

import { isRecord } from '../../isRecord.ts';
import { parseJson } from '../parseJson.ts';

export type Node = Partial<Record<string, unknown>>;

export interface Graph {
  /** Nodes a page states, in order; not those nested in others. */
  top: Node[];
  /** Nodes with an `@id` and something to say, wherever they stand. */
  byId: Map<string, Node>;
}

/** Bounds of the walk: no page states more than this in good faith. */
const MAX_NODES = 5_000;
const MAX_DEPTH = 12;

/** A block that cannot be read is passed over, with a note; the others count. */
export function parseBlocks(blocks: readonly string[], note: (text: string) => void): Graph {
  const graph: Graph = { top: [], byId: new Map() };
  let left = MAX_NODES;

  function state(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH || left <= 0) return;
    if (Array.isArray(value)) {
      for (const one of value.slice(0, MAX_NODES)) state(one, depth + 1);
    } else if (isRecord(value)) {
      left--;
      if (value['@type'] !== undefined) graph.top.push(value);
      state(value['@graph'], depth + 1);
      // A page that says what it is mainly about says it here.
      if (isRecord(value.mainEntity) && value.mainEntity['@type'] !== undefined) state(value.mainEntity, depth + 1);
    }
  }

  function index(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || left <= 0) return;
    left--;
    if (
      isRecord(value) &&
      typeof value['@id'] === 'string' &&
      Object.keys(value).length > 1 &&
      !graph.byId.has(value['@id'])
    )
      graph.byId.set(value['@id'], value);
    for (const one of Object.values(value)) index(one, depth + 1);
  }

  blocks.forEach((block, position) => {
    const value = parseBlock(block);
    if (value === undefined) note(`JSON-LD block ${position + 1} is no JSON; it is passed over.`);
    left = MAX_NODES;
    state(value, 0);
    left = MAX_NODES;
    index(value, 0);
  });
  return graph;
}

/** Strict first; then without the wrappers and raw line breaks that template engines leave in. */
function parseBlock(block: string): unknown {
  const strict = parseJson(block);
  if (strict !== undefined) return strict;
  const bare = block
    .replace(/^\s*(?:\/\/\s*)?(?:\/\*\s*)?(?:<!--|<!\[CDATA\[)(?:\s*\*\/)?/, '')
    .replace(/(?:\/\/\s*)?(?:\/\*\s*)?(?:-->|\]\]>)(?:\s*\*\/)?\s*$/, '')
    .replace(/;\s*$/, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not allow them inside texts
    .replace(/[\u0000-\u001f]+/g, ' ');
  return parseJson(bare) ?? parseJson(bare.replace(/,\s*([}\]])/g, '$1'));
}
