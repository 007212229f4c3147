// The number of words of a text: runs between blanks that hold a letter or a digit; by dictionary in scripts that are
// written without blanks. Time grows with the length only: the dictionary sees pieces, because a segmenter's time per
// word grows with the text it was given.

const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
/** Letters of scripts written without blanks, and signs that stand within their words ("ー"). */
const UNSPACED = new RegExp(
  SCRIPTS.map((name) => `\\p{Script=${name}}|(?=\\p{L})\\p{Script_Extensions=${name}}`).join('|'),
  'u',
);

/** UTF-16 units of a piece: longer than any word, short enough for the segmenter to be at its quickest. */
const PIECE = 256;
/**
 * UTF-16 units that are looked up in the dictionary, which takes about half a microsecond each. The words of a longer
 * text are estimated from these.
 */
const MOST_LOOKED_UP = 40_000;

/** Runs that are looked up: each costs some microseconds, however short it is. */
const MOST_RUNS = 4_000;
/** Units of a piece that only say where the words before them end. */
const OVERLAP = 32;

/** What a code point is to a count; 0 until it is first met. */
const BLANK = 1;
const SIGN = 2;
const SPACED = 3;
const DENSE = 4;

/** The kind of each code point, filled in as they are met. */
const kinds = new Uint8Array(0x110000);
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * Beyond 40,000 characters, or 4,000 runs, of scripts written without blanks the count is an estimate from those.
 */
export function countWords(text: string): number {
  const dense = { words: 0, runs: 0, lookedUp: 0, rest: 0 };
  let words = 0;
  let inWord = false;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at)!;
    const kind = kindOf(code);
    if (kind === DENSE) {
      inWord = false;
      const end = endOfRun(text, at);
      const wanted = dense.runs < MOST_RUNS ? Math.min(end - at, MOST_LOOKED_UP - dense.lookedUp) : 0;
      if (end - at > 1) dense.runs++;
      dense.words += lookUp(text.slice(at, at + wanted));
      dense.lookedUp += wanted;
      dense.rest += end - at - wanted;
      at = end;
      continue;
    }
    if (kind === SPACED && !inWord) words++;
    if (kind !== SIGN) inWord = kind === SPACED;
    at += unitsOf(code);
  }
  return words + dense.words + Math.round((dense.rest * dense.words) / Math.max(1, dense.lookedUp));
}

/** Where a run of dense letters ends; signs in between are no words. */
function endOfRun(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const code = text.codePointAt(end)!;
    const kind = kindOf(code);
    if (kind !== DENSE && kind !== SIGN) break;
    end += unitsOf(code);
  }
  return end;
}

const unitsOf = (code: number): number => (code > 0xffff ? 2 : 1);
const kindOf = (code: number): number => kinds[code] || classify(code);

function classify(code: number): number {
  const character = String.fromCodePoint(code);
  let kind = SIGN;
  if (UNSPACED.test(character)) kind = DENSE;
  else if (/[\p{L}\p{N}]/u.test(character)) kind = SPACED;
  else if (/\s/.test(character)) kind = BLANK;
  kinds[code] = kind;
  return kind;
}

/** Words of a run. The words at the end of a piece are read again in the next: the cut may have changed them. */
function lookUp(run: string): number {
  // Half of a text that mixes scripts is made of these, and each is a word.
  if (run.length < 2) return run.length;
  let words = 0;
  for (let start = 0; start < run.length; ) {
    const end = start + PIECE;
    let next = end;
    for (const { index, isWordLike } of segmenter.segment(run.slice(start, end))) {
      if (end < run.length && index >= PIECE - OVERLAP) {
        next = start + index;
        break;
      }
      if (isWordLike) words++;
    }
    start = next;
  }
  return words;
}
