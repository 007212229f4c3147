// Brings a text into the one spelling words are compared in: compatibility form, lower case, without accents and vowel points.
// "Café", "CAFÉ" and "cafe" are one word, as are "Łódź" and "lodz", "كَتَبَ" and "كتب".

/** Texts without any of these letters need no more than lower case and compatibility form. */
const ACCENTED = /[\u00c0-\u06ff\u1e00-\u1fff]/;

/** Accents of Latin, Greek and Cyrillic; points of Hebrew; vowel signs and the stretcher of Arabic. */
const MARKS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;

/** Letters that Unicode does not take apart. */
const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i', ς: 'σ' };
const LETTER = /[ßæœøđłıς]/g;

export function folded(text: string): string {
  if (!ACCENTED.test(text)) return text.normalize('NFKC').toLowerCase();
  // Taken apart and put together again: Korean and kana come apart too, and must be whole to be read.
  const bare = text.normalize('NFKD').replace(MARKS, '').normalize('NFC').toLowerCase();
  // Lower case may bring a mark of its own: "İ" is "i" and a dot.
  return bare.replace(LETTER, (letter) => LETTERS[letter]!).replace(MARKS, '');
}
