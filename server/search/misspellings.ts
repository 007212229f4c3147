// Words at an edit distance of one from the word typed (Damerau-Levenshtein): a letter too many, too few, another, or
// two exchanged. And the two words that it may be a compound of.
//
//   misspellingsOf('goverment')   → …, 'government', …
//
// An index has no words as texts, only their hashes: the candidates are written out, some hundreds, and looked up.

/** Bounds in letters. A shorter word has too many neighbours at one edit; longer words hardly occur in queries. */
const SHORTEST = 5;
const LONGEST = 20;

/** Letters of alphabets, as words are compared: in lower case and without marks. */
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяіє',
  'αβγδεζηθικλμνξοπρστυφχψωσ',
  'אבגדהוזחטיךכלםמןנסעףפץצקרשת',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهويءپچژگ',
];

/**
 * The words that one edit makes of a word, its first letter kept: that is hardly ever the wrong one, and names differ
 * by it. None for words with digits, of other scripts, and those that are too short or too long.
 */
export function misspellingsOf(word: string): string[] {
  const { length } = word;
  const alphabet = ALPHABETS.find((letters) => Array.from(word).every((letter) => letters.includes(letter)));
  if (alphabet === undefined || length < SHORTEST || length > LONGEST) return [];
  const others: string[] = [];
  for (let at = 1; at <= length; at++) {
    const before = word.slice(0, at);
    const rest = word.slice(at);
    if (rest !== '') others.push(before + rest.slice(1));
    if (rest.length > 1) others.push(before + rest.charAt(1) + rest.charAt(0) + rest.slice(2));
    for (const letter of alphabet) {
      others.push(before + letter + rest);
      if (rest !== '') others.push(before + letter + rest.slice(1));
    }
  }
  return others.filter((other) => other !== word);
}

/** Bound in letters for two words typed as one; longer ones hardly occur in queries. */
const LONGEST_COMPOUND = 40;

/**
 * A compound word as two, by where it is split. One letter alone stands in front ("e mail", "o brien"), behind only as
 * that of an English contraction ("don t").
 */
export function splitsOf(word: string): [first: string, second: string][] {
  if (word.length > LONGEST_COMPOUND) return [];
  const last = word.length - (word.endsWith('nt') ? 1 : 2);
  const places = Array.from({ length: Math.max(0, last) }, (_, i) => i + 1);
  return places.map((at) => [word.slice(0, at), word.slice(at)]);
}
