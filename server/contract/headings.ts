// Default headings of lists of related posts and of the most read posts, in the languages of most web pages. English is
// built into the widget.

/** Whether lists need more than those in English do: another heading, hyphens, room for marks. "" is no language. */
export const isForeign = (language: string): boolean => /^(?!en)./.test(language);

/** By language, for languages in Latin script; see scripts.ts for the others. `in` and `iw` are old codes. */
export const LATIN: Readonly<Record<string, string>> = {
  cs: 'Související;Nejčtenější',
  da: 'Læs også;Mest læste',
  de: 'Mehr zum Thema;Meistgelesen',
  es: 'Relacionados;Lo más leído',
  fi: 'Lue myös;Luetuimmat',
  fr: 'À lire aussi;Les plus lus',
  hu: 'Kapcsolódó;Legolvasottabb',
  id: 'Terkait;Terpopuler',
  in: 'Terkait;Terpopuler',
  it: 'Leggi anche;I più letti',
  nb: 'Les også;Mest lest',
  no: 'Les også;Mest lest',
  nn: 'Les òg;Mest lese',
  nl: 'Lees ook;Meest gelezen',
  pl: 'Czytaj także;Najczęściej czytane',
  pt: 'Relacionados;Mais lidas',
  ro: 'Citește și;Cele mai citite',
  sv: 'Läs också;Mest läst',
  tr: 'İlgili;En çok okunanlar',
  vi: 'Liên quan;Đọc nhiều',
};

/**
 * @param language A language tag, such as `de` or `pt-BR`.
 * @param kind `related` or `top`.
 * @returns undefined for a language without an entry.
 */
export const headingIn = (table: typeof LATIN, language: string, kind?: string): string | undefined =>
  table[/^zh-(tw|hk|mo|hant)/i.test(language) ? 'hant' : language.toLowerCase().split('-')[0]!]?.split(';')[
    kind === 'top' ? 1 : 0
  ];
