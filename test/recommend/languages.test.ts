// Words of sixteen languages: counted, and by them a post about the same thing found and one about another thing left out.
import { expect, test } from 'vitest';
import { countWords } from '../../server/posts/countWords.ts';
import { ask, at, indexOf, post } from './corpus.ts';

test.each<[language: string, words: number, asked: string, near: string, far: string]>([
  [
    'English',
    11,
    'The night ferry leaves the old harbour; tickets at kiosk three.',
    'A woman sells tickets for the night ferry at the harbour kiosk.',
    'The patient baker kneads flour and water before dawn.',
  ],
  [
    'German',
    8,
    'Die Nachtfähre verlässt abends den alten Hafen: Fahrkarten.',
    'Fahrkarten für die Nachtfähre gibt es am Hafen.',
    'Der geduldige Bäcker knetet morgens seinen Teig.',
  ],
  [
    'French',
    9,
    'Le ferry de nuit quitte le vieux port, billets.',
    'Une femme vend des billets pour le ferry au port.',
    'Le boulanger patient pétrit la farine avant l’aube.',
  ],
  [
    'Spanish',
    9,
    'El transbordador nocturno sale del viejo puerto con billetes.',
    'Una mujer vende billetes del transbordador nocturno en el puerto.',
    'Un panadero paciente amasa harina con agua.',
  ],
  [
    'Portuguese',
    7,
    'A balsa noturna deixa o porto antigo.',
    'Bilhetes para a balsa noturna no porto.',
    'O padeiro paciente amassa farinha de madrugada.',
  ],
  [
    'Italian',
    7,
    'Il traghetto notturno lascia il vecchio porto.',
    'Biglietti per il traghetto notturno al porto.',
    'Il fornaio paziente impasta farina prima dell’alba.',
  ],
  [
    'Dutch',
    7,
    'De nachtboot verlaat vanavond de oude haven.',
    'Kaartjes voor de nachtboot in de haven van vanavond.',
    'De geduldige bakker kneedt deeg en water.',
  ],
  [
    'Polish',
    6,
    'Nocny prom opuszcza wieczorem stary port.',
    'Bilety na nocny prom sprzedaje stary port.',
    'Cierpliwy piekarz ugniata mąkę przed świtem.',
  ],
  [
    'Turkish',
    6,
    'Gece feribotu akşam eski İstanbul limanından.',
    'İstanbul limanından kalkan gece feribotu için bilet.',
    'Sabırlı fırıncı şafaktan önce hamur yoğurur.',
  ],
  [
    'Russian',
    6,
    'Ночной паром вечером покидает старый порт.',
    'Билеты на ночной паром продаёт старый порт.',
    'Терпеливый пекарь месит муку до рассвета.',
  ],
  [
    'Greek',
    6,
    'Το νυχτερινό πλοίο φεύγει από λιμάνι.',
    'Εισιτήρια για το νυχτερινό πλοίο στο λιμάνι.',
    'Ο υπομονετικός φούρναρης ζυμώνει αλεύρι.',
  ],
  [
    'Arabic',
    5,
    'تغادر العبارة الليلية الميناء القديم',
    'تذاكر العبارة الليلية في الميناء القديم',
    'خباز صبور يعجن الدقيق قبل الفجر',
  ],
  [
    'Hebrew',
    5,
    'מעבורת הלילה עוזבת את הנמל',
    'כרטיסים אל מעבורת הלילה מוכרים את הנמל',
    'אופה סבלני לש קמח לפני הזריחה',
  ],
  ['Hindi', 6, 'रात की नौका पुराने बंदरगाह से', 'पुराने बंदरगाह पर रात की नौका के टिकट', 'धैर्यवान नानबाई आटा गूँधता है'],
  [
    'Japanese',
    9,
    '夜行フェリーは古い港を出発します。',
    '古い港から夜行フェリーの切符を売る女性',
    '辛抱強いパン職人と小麦粉',
  ],
  ['Chinese', 6, '夜间渡轮从旧港口出发。', '旧港口出售夜间渡轮船票的女人', '耐心的面包师和面粉'],
  ['Korean', 5, '야간 페리는 옛 항구를 출발합니다', '옛 항구를 떠나는 야간 페리를 기다리며', '빵 굽는 사람과 밀가루'],
  ['Thai', 9, 'เรือข้ามฟากกลางคืนออกจากท่าเรือเก่า', 'ตั๋วเรือข้ามฟากกลางคืนที่ท่าเรือเก่า', 'ขนมปังและแป้งของคนทำขนม'],
])('%s', (_, words, asked, near, far) => {
  expect(countWords(asked)).toBe(words);
  const index = indexOf([asked, near, far].map((text, name) => post(String(name), { title: text, fullContent: text })));
  expect(ask(index, { url: at('0') })).toEqual(['1']);
});
