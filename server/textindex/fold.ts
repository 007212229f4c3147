// Brings a text into the one spelling words are compared in: compatibility form, lower case, without accents, vowel
// points and soft hyphens. "Café", "CAFÉ" and "cafe" are one word, as are "Łódź" and "lodz", "كَتَبَ" and "كتب",
// "القاهرة" and "القاهره", "٢٠٢٤" and "2024".

/** Texts without any of these letters need no more than lower case and compatibility form. */
const ACCENTED = /[\u00c0-\u06ff\u0966-\u096f\u09e6-\u09ef\u1e00-\u1fff]/;

/** Accents of Latin, Greek and Cyrillic; points of Hebrew; vowel signs and the stretcher of Arabic. */
const MARKS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;

/** Letters that Unicode does not take apart; and those of Arabic that texts and keyboards have for each other. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
  // At the end of a word; the last two are Persian, and of the same look.
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
};
const LETTER = /[ßæœøđłıςةىیک]/g;

/** Digits of Arabic, Persian, Devanagari and Bengali, which texts and keyboards have beside 0 to 9. */
const DIGIT = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]/g;

/**
 * Longest run of combining marks in a text in Stream-Safe Text Format (UAX #15, section 13): no word of any language
 * has more. Normalization sorts the marks of a run by insertion, in time that grows with the square of the run's
 * length.
 */
const LONGEST_RUN = 30;
/** Half-width voicing marks of kana are letters that become marks. */
const LONG_RUN = new RegExp(`([\\p{M}\\uff9e\\uff9f]{${LONGEST_RUN}})[\\p{M}\\uff9e\\uff9f]+`, 'gu');
const MARK = /[\p{M}\uff9e\uff9f]/u;

/** Soft hyphens, word joiners and variation selectors: a word is the same with and without them. */
const INVISIBLE = /\u00ad|\u2060|\ufeff|[\ufe00-\ufe0f]|\udb40[\udd00-\uddef]/g;
/** Emoji and regional indicators (flags): word boundaries, as punctuation is. */
const EMOJI = /[\ud83c-\ud83e][\udc00-\udfff]/g;
/** UTF-16 code units of both: texts without any of them need no replacement. */
// biome-ignore lint/suspicious/noMisleadingCharacterClass: single code units are meant; an alternation is slower
const RARE_UNITS = /[\u00ad\u2060\ufe00-\ufe0f\ufeff\ud83c-\ud83e\udb40]/;

/**
 * Compatibility form in linear time, without emoji and invisible characters: of a run of more than 30 combining marks
 * the rest is left out.
 */
export function compatible(text: string): string {
  return streamSafe(withoutEmoji(text)).normalize('NFKC');
}

export function folded(text: string): string {
  if (!ACCENTED.test(text)) return compatible(text).toLowerCase();
  // Taken apart and put together again: Korean and kana come apart too, and must be whole to be read.
  const bare = streamSafe(withoutEmoji(text)).normalize('NFKD').replace(MARKS, '').normalize('NFC').toLowerCase();
  // Lower case may bring a mark of its own: "İ" is "i" and a dot.
  return bare
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .replace(DIGIT, asciiDigit)
    .replace(MARKS, '');
}

/** The zeros of two of these scripts are at 0, those of the others at 6 of a row of sixteen. */
function asciiDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  return String((code & 0xf) - (code < 0x900 ? 0 : 6));
}

function withoutEmoji(text: string): string {
  return RARE_UNITS.test(text) ? text.replace(INVISIBLE, '').replace(EMOJI, ' ') : text;
}

function streamSafe(text: string): string {
  // A run that is too long holds at least one of these places.
  for (let at = LONGEST_RUN; at < text.length; at += LONGEST_RUN + 1) {
    if (isMark(text.charCodeAt(at)) && runAround(text, at) > LONGEST_RUN) return text.replace(LONG_RUN, '$1');
  }
  return text;
}

/** Length of the run of marks around a place, which it is looked for no further than it has to be. */
function runAround(text: string, at: number): number {
  let start = at;
  let end = at + 1;
  while (at - start < LONGEST_RUN && isMark(text.charCodeAt(start - 1))) start--;
  while (end - at <= LONGEST_RUN && isMark(text.charCodeAt(end))) end++;
  return end - start;
}

/** Whether a UTF-16 unit is a mark or may be half of one. */
function isMark(code: number): boolean {
  if (code < 0x300 || (code > 0x3100 && code < 0xa000)) return false;
  return (code >= 0xd800 && code <= 0xdfff) || MARK.test(String.fromCharCode(code));
}
