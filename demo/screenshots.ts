// Pictures of the demo, to be looked at: `npm run screenshots [folder]`, 390 and 1280 pixels wide, light and dark.
// Give it a running newspaper with PAPER=http://localhost:8090, else it starts a demo of its own and stops it.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import bundled from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const SIZES = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'desk', width: 1280, height: 900 },
];

const folder = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'afterword-pictures-')));
const demo = process.env.PAPER === undefined ? await startDemo() : { paper: process.env.PAPER, stop: () => {} };
const browser = await chromium.launch({
  executablePath: process.env.AFTERWORD_CHROME ?? (await bundled.executablePath()),
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await takeAll(browser, demo.paper);
  await compose(browser);
} finally {
  await browser.close();
  demo.stop();
}

async function takeAll(browser: Browser, paper: string): Promise<void> {
  for (const { name, width, height } of SIZES) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      const page = await context.newPage();
      const take = async (picture: string, options: { fullPage: boolean }) => {
        const path = resolve(folder, `${picture}-${name}-${colorScheme}.png`);
        await page.screenshot({ path, ...options });
        console.log(path);
      };
      const settle = () => page.waitForLoadState('networkidle');
      await page.goto(`${paper}/`);
      await settle();
      await take('home', { fullPage: false });
      await take('home-whole', { fullPage: true });

      await page.locator('.front-new .headline a').first().click();
      await settle();
      await take('article', { fullPage: false });
      await page.locator('[data-afterword="related"]').scrollIntoViewIfNeeded();
      await page.locator('[data-afterword="related"] a').last().waitFor();
      // With the end of the article above the lists.
      await page
        .locator('.after')
        .evaluate((after) => scrollBy(0, after.getBoundingClientRect().top - innerHeight * 0.3));
      await settle();
      await take('after-article', { fullPage: false });

      await page.goto(`${paper}/section/design`);
      await settle();
      await take('section', { fullPage: true });
      await page.goto(`${paper}/_behind`);
      await settle();
      await take('behind', { fullPage: false });
      await context.close();
    }
  }
}

/** The README's picture, as WebP: the lists below an article on a desktop, and the same in the dark on a phone. */
async function compose(browser: Browser): Promise<void> {
  const [desk, phone] = await Promise.all(
    ['after-article-desk-light', 'after-article-phone-dark'].map(
      async (name) => `data:image/png;base64,${(await readFile(resolve(folder, `${name}.png`))).toString('base64')}`,
    ),
  );
  const context = await browser.newContext({ viewport: { width: 1440, height: 824 } });
  const page = await context.newPage();
  await page.setContent(`<body style="margin:0;height:824px;background:#e9e4d8">
    <style>img{position:absolute;border-radius:12px;box-shadow:0 18px 50px #0005}</style>
    <img src="${desk}" width="1000" style="left:40px;top:60px"><img src="${phone}" width="310" style="right:40px;bottom:60px">`);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  const path = resolve(folder, 'afterword.webp');
  await writeFile(path, Buffer.from(data, 'base64'));
  console.log(path);
  await context.close();
}

/** Resolves with the newspaper's address when it is ready. */
async function startDemo(): Promise<{ paper: string; stop(): void }> {
  const data = await mkdtemp(join(tmpdir(), 'afterword-demo-'));
  const child = spawn(process.execPath, ['dist/server/demo.js', '--no-open', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  return new Promise((done, fail) => {
    child.once('exit', () => fail(new Error(`The demo did not start:\n${text}`)));
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const paper = /newspaper +(http:\S+)\/\n[\s\S]*Ctrl\+C/.exec(text)?.[1];
      if (paper) done({ paper, stop: () => child.kill('SIGTERM') });
    });
  });
}
