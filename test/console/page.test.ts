// The page of the console over HTTP: what it may load, who may keep or frame it, and where it leads.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBuilt, root } from '../support/build.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

let room: Newsroom;
beforeAll(async () => {
  room = await openNewsroom({ now: Date.UTC(2030, 0, 1) });
});
afterAll(() => room.close());

const get = (path: string) => room.app.request(`http://stats.example${path}`);

test('nothing but this server’s own files may run or be asked, and nothing may frame or keep the page', async () => {
  const { headers } = await get('/console/');
  expect(headers.get('Content-Security-Policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
});

test('the page is the same for everyone: nothing of a request is in it, and no site is named', async () => {
  const page = await (await get('/console/')).text();
  expect(await (await get('/console/?period=%3Cscript%3E&secret=x')).text()).toBe(page);
  expect(page).not.toContain(room.site.id);
});

test('all of its addresses are relative: it works below the prefix of a proxy', async () => {
  const page = await (await get('/console/')).text();
  const addresses = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses).toEqual(['icon.svg', 'app.css', 'app.js']);
  const toFolder = await get('/console?period=today');
  expect([toFolder.status, toFolder.headers.get('Location')]).toEqual([302, './console/?period=today']);
  expect((await get('/console/icon.svg')).headers.get('Content-Type')).toBe('image/svg+xml');
});

const SCRIPTS = join(root, 'dist/widget/console');
const compressed = (name: string): number => readFileSync(join(SCRIPTS, `${name}.br`)).length;

/** Files, and those that they need before they run. */
function withImports(names: readonly string[]): Set<string> {
  const needed = new Set(names);
  for (const name of needed) {
    const text = readFileSync(join(SCRIPTS, name), 'utf8');
    for (const [, other] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) needed.add(other!);
  }
  return needed;
}

test('its scripts travel in less than 75 kB, what its first view needs in less than 45', async () => {
  await ensureBuilt();
  const scripts = readdirSync(SCRIPTS).filter((name) => name.endsWith('.js'));
  expect(scripts.map(compressed).reduce((sum, bytes) => sum + bytes)).toBeLessThan(75_000);
  const view = scripts.find((name) => name.startsWith('overview-'));
  const first = withImports(['app.js', view ?? 'overview']);
  expect([...first, 'app.css'].map(compressed).reduce((sum, bytes) => sum + bytes)).toBeLessThan(45_000);
});

test('its scripts make no markup from texts and no code from texts', async () => {
  await ensureBuilt();
  const scripts = readdirSync(SCRIPTS).filter((name) => name.endsWith('.js'));
  for (const name of scripts)
    expect(readFileSync(join(SCRIPTS, name), 'utf8'), name).not.toMatch(
      /insertAdjacentHTML|outerHTML|document\.write|\beval\(|localStorage|sessionStorage/,
    );
});
