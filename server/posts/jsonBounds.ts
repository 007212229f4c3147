// Bounds of JSON text, checked before it is parsed: JSON.parse takes seconds for megabytes of brackets or of unique
// names, and one pass over the characters takes milliseconds. The same pass finds the text fields of the outermost
// object, so that a secret in a body can be verified before the body is parsed.
import { parseJson } from './parseJson.ts';

export interface JsonBounds {
  /** Objects and arrays inside one another at most. */
  depth: number;
  /** Values at most, counted by their commas and opening brackets. */
  values: number;
}

/** Longest text that is returned of a field, in characters as written: identifiers and secrets are far shorter. */
const MAX_FIELD = 1024;

/** Depth inside a list of the outermost object. */
const LIST_DEPTH = 2;

/** Far deeper than any event. */
const MAX_OPEN = 1000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Whether a text may be parsed as JSON. One that is no JSON is only known not to be large. */
export function isWithin(text: string, { depth: maxDepth, values: maxValues }: JsonBounds): boolean {
  let depth = 0;
  let values = 0;
  return eachMark(text, (code) => {
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    else {
      values++;
      if (code !== COMMA) depth++;
    }
    return depth <= maxDepth && values <= maxValues;
  });
}

/**
 * JSON text whose outermost object holds lists, with `null` in place of each element that is beyond the bounds: the
 * elements before and after it can be parsed.
 * @param bounds.depth Of an element, with the object and the list around it.
 * @param bounds.values Of all elements together: one that does not fit any more is beyond them.
 * @returns undefined when what stands outside of the elements is beyond the bounds.
 */
export function nullLargeElements(
  text: string,
  { depth: maxDepth, values: maxValues }: JsonBounds,
): string | undefined {
  const kept: string[] = [];
  let depth = 0;
  let values = 0;
  /** Of the element under way. */
  let element = { start: 0, values: 0, depth: 0 };
  let copied = 0;
  const within = eachMark(text, (code, at) => {
    if (code === COMMA) {
      if (depth > LIST_DEPTH) element.values++;
      else values++;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (depth++ === LIST_DEPTH) element = { start: at, values: 0, depth };
      element.depth = Math.max(element.depth, depth);
      element.values++;
    } else if (--depth === LIST_DEPTH) {
      if (element.depth <= maxDepth && values + element.values <= maxValues) values += element.values;
      else {
        kept.push(text.slice(copied, element.start), 'null');
        copied = at + 1;
      }
    }
    return values <= maxValues;
  });
  // Brackets that are not closed are no JSON, and would be parsed to their end before that is known.
  return within && depth <= 0 ? kept.join('') + text.slice(copied) : undefined;
}

/**
 * JSON text that was cut off anywhere, whose outermost object holds lists: its beginning up to the last element of such
 * a list that is all there, with the brackets that are missing.
 * @returns The same text where nothing is missing; "" where no element is all there.
 */
export function closeCut(text: string): string {
  /** Brackets that are open, as they are closed. */
  const open: number[] = [];
  let end = 0;
  eachMark(text, (code, at) => {
    if (code === OPEN_BRACE || code === OPEN_BRACKET) open.push(code);
    else if (code !== COMMA) open.pop();
    const inList = open.length === LIST_DEPTH && open[0] === OPEN_BRACE && open[1] === OPEN_BRACKET;
    if (inList && (code === CLOSE_BRACE || code === CLOSE_BRACKET)) end = at + 1;
    // Unclosed brackets are no events, and must not grow the stack of open ones.
    return open.length <= MAX_OPEN;
  });
  if (open.length === 0) return text;
  return end === 0 ? '' : `${text.slice(0, end)}]}`;
}

/**
 * Fields of the outermost object whose values are texts, without parsing the rest. The text may be cut off anywhere.
 * @param names Fields looked for. Of one that is repeated the last value counts, as for JSON.parse.
 */
export function outerTexts(text: string, names: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  if (!/^\s*\{/.test(text)) return found;
  let depth = 0;
  let last = 0;
  let name: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) continue;
    if (code === QUOTE) {
      const start = at + 1;
      at = endOfString(text, start);
      if (depth === 1 && at < text.length) {
        if (last !== COLON) name = decode(text, start, at);
        else if (name !== undefined && names.includes(name)) found.set(name, decode(text, start, at) ?? '');
      }
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    last = code;
  }
  return found;
}

/**
 * Calls `visit` with each bracket and comma outside of strings, until it returns false.
 * @returns Whether it never did.
 */
function eachMark(text: string, visit: (code: number, at: number) => boolean): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (isMark(code) && !visit(code, at)) return false;
  }
  return true;
}

const isMark = (code: number) =>
  code === COMMA || code === OPEN_BRACE || code === CLOSE_BRACE || code === OPEN_BRACKET || code === CLOSE_BRACKET;

/** @returns Where the closing quote is; the length of a text that has none. */
function endOfString(text: string, start: number): number {
  for (let from = start; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return text.length;
    let escapes = quote;
    while (escapes > from && text.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
    if ((quote - escapes) % 2 === 0) return quote;
    from = quote + 1;
  }
}

/** @returns undefined for one that is too long, or is no JSON. */
function decode(text: string, start: number, end: number): string | undefined {
  if (end - start > MAX_FIELD) return undefined;
  const written = text.slice(start, end);
  if (!written.includes('\\')) return written;
  const decoded = parseJson(`"${written}"`);
  return typeof decoded === 'string' ? decoded : undefined;
}
