// Which languages are written from right to left: for pages of the server's own, which say their direction themselves.

/** The languages whose usual script is (`iw` and `ji` are old codes), and scripts that a language tag may name. */
const RIGHT_TO_LEFT = /^(?:ar|ckb|dv|fa|he|iw|ji|ps|sd|ug|ur|yi)\b|-(?:arab|hebr|thaa)\b/i;

/** @param language A language tag, such as `ar` or `ku-Arab`. @returns a value of the attribute `dir`. */
export const directionOf = (language: string): 'rtl' | 'ltr' => (RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr');
