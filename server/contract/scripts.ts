// Default headings of lists in languages with non-Latin scripts, as in headings.ts.

/** By language, for languages in non-Latin scripts. Traditional Chinese is `hant`. */
export const OTHERS: Readonly<Record<string, string>> = {
  ar: 'ذات صلة;الأكثر قراءة',
  bg: 'Още по темата;Най-четени',
  el: 'Σχετικά;Δημοφιλή',
  fa: 'مرتبط;پربازدیدها',
  he: 'עוד בנושא;הנקראים ביותר',
  iw: 'עוד בנושא;הנקראים ביותר',
  hi: 'संबंधित;सबसे लोकप्रिय',
  ja: '関連記事;人気記事',
  ko: '관련 기사;인기 기사',
  ru: 'По теме;Самое читаемое',
  th: 'เกี่ยวข้อง;ยอดนิยม',
  uk: 'За темою;Найчитаніше',
  zh: '相关文章;热门文章',
  hant: '相關文章;熱門文章',
};
