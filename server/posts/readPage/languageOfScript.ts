// The language a text is in where its letters leave no doubt: what a page that names no language still says. Latin,
// Arabic and Cyrillic letters serve many languages, and say nothing.

const SCRIPTS: readonly [language: string, script: RegExp][] = [
  // Before Chinese: Japanese is written with both.
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['ka', /\p{Script=Georgian}/gu],
  ['hy', /\p{Script=Armenian}/gu],
];

/** Characters looked at, and how many of the letters must be of the script. */
const LOOKED_AT = 2_000;
const SHARE = 0.3;

/** @returns A language tag; undefined where several languages use the letters. */
export function languageOfScript(text: string): string | undefined {
  const start = text.slice(0, LOOKED_AT);
  const letters = count(start, /\p{L}/gu);
  return SCRIPTS.find(([, script]) => letters > 0 && count(start, script) / letters > SHARE)?.[0];
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
