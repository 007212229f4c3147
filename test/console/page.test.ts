// The page of the console over HTTP: what it may load, who may keep or frame it, and where it leads.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../support/build.ts';
import { CONSOLE_BUDGETS, consoleScripts, consoleSizes } from '../support/consoleScripts.ts';
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
      "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
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

test('its scripts travel in less than 75 kB, what its first view needs in less than 45', async () => {
  await ensureBuilt();
  const { first, all } = consoleSizes();
  expect(all).toBeLessThan(CONSOLE_BUDGETS.all);
  expect(first).toBeLessThan(CONSOLE_BUDGETS.first);
});

test('its scripts make no markup from texts and no code from texts', async () => {
  await ensureBuilt();
  for (const [name, text] of consoleScripts())
    expect(text, name).not.toMatch(/insertAdjacentHTML|outerHTML|document\.write|\beval\(|localStorage|sessionStorage/);
});
