// Draws the newspaper's three short films and records them in Chromium: `npx tsx demo/art/recordFilms.ts`. They are kept in
// demo/paper/static/films; run it again only to change them.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bundled from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { demoFile } from '../files.ts';
import { FILM_SECONDS, FILMS } from '../films.ts';

const WIDTH = 640;
const HEIGHT = 360;
const BITS_A_SECOND = 110_000;

const browser = await chromium.launch({
  executablePath: process.env.AFTERWORD_CHROME ?? (await bundled.executablePath()),
  args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
});
try {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  await page.setContent(`<canvas width="${WIDTH}" height="${HEIGHT}"></canvas>`);
  await page.addScriptTag({ content: await readFile(demoFile('art/filmDrawings.js'), 'utf8') });
  for (const { slug, drawing } of FILMS) {
    const bytes = await page.evaluate<string>(`record(${drawing}, ${FILM_SECONDS}, ${BITS_A_SECOND})`);
    const film = Buffer.from(bytes, 'base64');
    await writeFile(join(demoFile('paper/static/films'), `${slug}.webm`), film);
    console.log(slug, film.length);
  }
} finally {
  await browser.close();
}
