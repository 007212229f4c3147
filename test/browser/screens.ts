// Pictures of every layout for people to judge: `npm run screens [folder]`, at four widths, light, dark, in forced colours and right to left.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { KINDS, LAYOUTS } from '../../server/contract/attributes.ts';
import { launchBrowser } from '../support/browser.ts';
import { articlePage, json, openStage, records, type Stage } from '../support/stage.ts';

const WIDTHS = [320, 390, 768, 1280];
const FACES = {
  light: { style: 'color:#222;background:#fff', language: 'lang="en"' },
  dark: { style: 'color:#e8e8e8;background:#14161a', language: 'lang="en"' },
  forced: { style: 'color:#222;background:#fff', language: 'lang="en"' },
  rtl: { style: 'color:#222;background:#fff', language: 'lang="he" dir="rtl"' },
};
/** Short, ordinary, longer than there is room for, and without a place to break. */
const TITLES = [
  'Rain',
  'A harbour town votes to keep its last ferry, against the advice of its own auditors',
  'What the new library opened with: a queue around the block, three weddings, a power cut, and a debate on whether the oldest tree of the square may be felled to make room for bicycles',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  'Why the night train is back',
];
const HEBREW = [
  'גשם',
  'עיר הנמל מצביעה בעד שמירה על המעבורת האחרונה שלה',
  'הספרייה החדשה נפתחה עם תור סביב הבלוק, שלוש חתונות והפסקת חשמל',
];

const SLOTS = `<main>
${KINDS.flatMap((kind) =>
  LAYOUTS.map(
    (layout) => `<div data-afterword="${kind}" data-layout="${layout}" data-heading="${layout}, ${kind}"></div>`,
  ),
).join('\n')}
<div data-afterword="related" data-limit="3" data-heading="List without pictures" data-image="off"></div>
<div data-afterword="related" data-limit="3" data-layout="grid" data-heading="Grid without pictures" data-image="off"></div>
<div data-afterword="top" data-limit="5" data-layout="row" data-heading="Row of upright pictures" data-image="0.8"></div>
<div data-afterword="related" data-limit="2" data-heading="List with square pictures" data-image="1"></div>
</main>`;

const folder = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'afterword-screens-')));
const stage = await openStage();
const browser = await launchBrowser();
try {
  for (const face of Object.keys(FACES) as (keyof typeof FACES)[]) {
    fillLists(stage, face === 'rtl' ? HEBREW : TITLES);
    for (const width of WIDTHS) await take(face, width);
  }
} finally {
  await browser.close();
  await stage.close();
}

/** Pictures for two posts of three. */
function fillLists(stage: Stage, titles: string[]): void {
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><rect width="16" height="9" fill="#357"/><circle cx="11" cy="4" r="2" fill="#fc6"/><path d="M0 9l5-5 4 4 2-2 5 3z" fill="#243"/></svg>`;
  stage.answer('/picture.svg', (_, response) => {
    response.setHeader('Content-Type', 'image/svg+xml').end(picture);
  });
  for (const path of ['/v2/related', '/v2/top']) {
    const change = (index: number): object => ({
      title: titles[index % titles.length],
      url: `${stage.site}${path}/${index}`,
      ...(index % 3 !== 1 && { image_url: `${stage.host}/picture.svg` }),
    });
    stage.answer(path, json({ data: records(40, stage.site, change), success: true }));
  }
}

async function take(face: keyof typeof FACES, width: number): Promise<void> {
  const { style, language } = FACES[face];
  const forcedColors = face === 'forced' ? 'active' : 'none';
  const page = await browser.newPage({ viewport: { width, height: 1000 }, forcedColors });
  const html = articlePage(stage, SLOTS)
    .replace('lang="en"', language)
    .replace(
      '<body>',
      `<body style="font:16px/1.5 system-ui;margin:16px;${style}"><style>[data-afterword]{margin-bottom:32px}</style>`,
    )
    .replaceAll('data-afterword=', 'data-lazy="off" data-afterword=');
  await page.goto(stage.page('/screens', html));
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[data-afterword]')].every((slot) =>
      slot.shadowRoot?.querySelector('[part=list][aria-busy=false]'),
    ),
  );
  await page.waitForLoadState('networkidle');
  const path = resolve(folder, `${face}-${width}.png`);
  await page.screenshot({ path, fullPage: true });
  console.log(path);
  await page.context().close();
}
