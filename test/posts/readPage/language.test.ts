// The language of a page: what it says, in this order, and where it says nothing, what its letters say.
import { expect, test } from 'vitest';
import { readPage } from '../../../server/posts/readPage/readPage.ts';

const LD = '<script type="application/ld+json">{"@type":"Article","headline":"x","inLanguage":"es_MX"}</script>';
const OG = '<meta property="og:locale" content="fr_FR">';
const EQUIV = '<meta http-equiv="Content-Language" content="de-AT">';

test.each<[string, string, string, string | undefined]>([
  ['JSON-LD before all others', `<html lang="en">${OG}${EQUIV}${LD}`, 'es-MX', 'json-ld'],
  ['the page’s own element', `<html lang="pt-BR">${OG}${EQUIV}`, 'pt-BR', 'html'],
  ['a meta tag in place of a header', `<html>${OG}${EQUIV}`, 'de-AT', 'html'],
  ['OpenGraph', OG, 'fr-FR', 'opengraph'],
  ['the header', '<p>text</p>', 'it', 'http'],
  ['kana', '<title>夜行フェリーは古い港を出発します</title>', 'ja', 'script'],
  ['Han alone', '<title>夜间渡轮从旧港口出发</title>', 'zh', 'script'],
  ['Hangul, some Latin between', '<title>야간 페리 FERRY는 옛 항구를 출발합니다</title>', 'ko', 'script'],
  ['Greek', '<title>Το νυχτερινό πλοίο</title>', 'el', 'script'],
  ['letters of many languages', '<title>Le bac de nuit</title>', '', undefined],
  ['a single foreign word', '<title>The word 港 means harbour, as everybody knows</title>', '', undefined],
  ['nothing at all', '', '', undefined],
])('%s', (what, html, language, source) => {
  const header = what === 'the header' ? 'it' : undefined;
  const { patch, sources } = readPage({ url: 'https://paper.example/a', html, language: header }, () => true);
  expect([patch.language, sources.language]).toEqual([language, source]);
});
