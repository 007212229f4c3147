// Bounds of JSON text, checked before it is parsed: JSON.parse takes seconds for megabytes of brackets or of unique names, and one
// pass over the characters takes milliseconds. The same pass finds the text fields of the outermost object, so that a secret in a
// body can be verified before the body is parsed.

export interface JsonBounds {
  /** Objects and arrays inside one another at most. */
  depth: number;
  /** Values at most, counted by their commas and opening brackets. */
  values: number;
}

/** Longest text that is returned of a field, in characters as written: identifiers and secrets are far shorter. */
const MAX_FIELD = 1024;

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
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at + 1);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > maxDepth || ++values > maxValues) return false;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
      case COMMA:
        if (++values > maxValues) return false;
    }
  }
  return true;
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
  try {
    return JSON.parse(`"${written}"`);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
