// A real Chromium for the tests that need one: the machine's own, else the one that comes with `npm ci`.
// No browser is a failure, unless AFTERWORD_SKIP_BROWSER=1 says otherwise.
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));
export const SKIP_BROWSER = process.env.AFTERWORD_SKIP_BROWSER === '1';

/**
 * Its own network traffic off, no GPU; web security stays on: the widget's rules about origins are under test. A
 * headless browser says that it is one, and robots are not counted; set here, it also holds for a page that is being
 * left.
 */
export const LAUNCH_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--user-agent=Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
];

/** For a browser to start, and for each thing a page is waited for: a bound for what hangs, as everywhere in the tests. */
const PATIENCE_MS = 100_000;

/** The machine's fonts, if it has any, and those that come with Chromium: the same sans-serif everywhere. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <alias binding="strong"><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias binding="strong"><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`;

/** One browser for the files of this process, one after another: a start takes a tenth of a second of the processor. */
let shared: Promise<Browser> | undefined;

/** Starts the browser of this process, again where it crashed. It ends with the process. */
async function sharedBrowser(): Promise<Browser> {
  if ((await shared?.catch(() => undefined))?.isConnected() !== true) shared = launchBrowser();
  return await shared!;
}

/**
 * `describe` with a browser; its contexts are closed at the end of the file. Call it once in a test file.
 * @param body receives a function that returns the browser; call it inside tests and hooks only.
 */
export function describeInBrowser(name: string, body: (browser: () => Browser) => void): void {
  if (SKIP_BROWSER) {
    console.warn(`NOT TESTED: "${name}" needs a browser and AFTERWORD_SKIP_BROWSER=1 is set.`);
    describe.skip(name, () => body(() => unavailable()));
    return;
  }
  describe(name, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await sharedBrowser();
    });
    afterAll(async () => {
      await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
    });
    body(() => browser ?? unavailable());
  });
}

/**
 * Starts Chromium: `AFTERWORD_CHROME` if set, else one installed on this machine, else @sparticuz/chromium (Linux x64).
 * The caller closes it.
 * @throws {Error} naming everything that was tried, when none starts.
 */
export async function launchBrowser(): Promise<Browser> {
  const failures: string[] = [];
  for await (const candidate of candidates()) {
    try {
      const browser = await chromium.launch({
        executablePath: candidate.path,
        args: LAUNCH_ARGS,
        env: { ...definedEnv(), ...candidate.env },
        timeout: PATIENCE_MS,
        // The process ends as it would without a browser, which ends by the pipe between the two.
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      });
      return withPatience(browser);
    } catch (error) {
      failures.push(`${candidate.path}: ${String(error)}`);
    }
  }
  throw new Error(
    `No Chromium could be started. Install Chrome or Chromium, or name one with AFTERWORD_CHROME=/path/to/chrome, ` +
      `or set AFTERWORD_SKIP_BROWSER=1 to leave the browser tests out.\n${failures.join('\n')}`,
  );
}

/** Every page of the browser takes its time, and lets storage take its time. */
function withPatience(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  // Pages of their own come by this way, too.
  browser.newContext = async (options) => {
    const context = await open(options);
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript(awaitStorage);
    return context;
  };
  return browser;
}

/**
 * Runs in a page before anything else. The widget gives the browser's storage a second and then continues without it:
 * rightly, but on a busy machine storage that works may take longer, and then a test would be about another reader.
 * While storage is being opened, what waits for a second, a promise alone, waits for long.
 */
export function awaitStorage(): void {
  const LONG_MS = 100_000;
  const { open } = IDBFactory.prototype;
  let opening: IDBOpenDBRequest | undefined;
  IDBFactory.prototype.open = function (...args) {
    opening = open.apply(this, args);
    return opening;
  };
  const wait = window.setTimeout;
  const isPatience = (run: unknown, delay: unknown): boolean =>
    delay === 1000 && opening?.readyState === 'pending' && String(run).includes('[native code]');
  window.setTimeout = ((run: TimerHandler, delay?: number, ...args: unknown[]) =>
    wait(run, isPatience(run, delay) ? LONG_MS : delay, ...args)) as typeof wait;
}

/**
 * Runs in a page before anything else, if a context or a page is given it: what the widget waits for before it sends events takes a tenth
 * of the time. That is the second in which a batch fills, and with `retries` the pauses before these, whose random part makes them no
 * whole number. Other delays are bounds for what hangs, and stay; so does `Date`. `page.clock`, once installed, takes the place of both.
 */
export function shortenPauses(retries = false): void {
  const TIMES = 10;
  const wait = window.setTimeout;
  const isPause = (run: unknown, delay = 0): boolean =>
    !String(run).includes('[native code]') && (delay === 1000 || (retries && delay >= 500 && !Number.isInteger(delay)));
  window.setTimeout = ((run: TimerHandler, delay?: number, ...args: unknown[]) =>
    wait(run, isPause(run, delay) ? delay! / TIMES : delay, ...args)) as typeof wait;
}

export interface Candidate {
  path: string;
  env?: Record<string, string>;
}

/** What may start, best first. */
export async function* candidates(): AsyncGenerator<Candidate> {
  const named = process.env.AFTERWORD_CHROME;
  if (named !== undefined && named !== '') {
    yield { path: named };
    return;
  }
  for (const path of installedPaths()) if (await exists(path)) yield { path };
  if (process.platform !== 'linux' || process.arch !== 'x64') return;
  const folder = await unpackBundledChromium();
  const path = join(folder, 'chromium');
  const env: Record<string, string> = { FONTCONFIG_PATH: join(folder, 'fonts') };
  yield { path, env };
  // A bare machine lacks libraries that Chromium links to; the package brings these too.
  yield { path, env: { ...env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } };
}

function installedPaths(): string[] {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium'].map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`);
  }
  if (process.platform === 'win32') {
    const roots = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
    return roots.flatMap((root) => (root ? [join(root, 'Google', 'Chrome', 'Application', 'chrome.exe')] : []));
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const names = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/**
 * Unpacks @sparticuz/chromium into node_modules/.cache, once per version. It unpacks to TMPDIR and takes a half-written
 * file for a finished one, so each process unpacks into a folder of its own and the first to finish names it.
 */
async function unpackBundledChromium(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const manifest: unknown = JSON.parse(await readFile(join(dirname(entry), '../../package.json'), 'utf8'));
  const { version } = manifest as { version: string };
  const cache = join(projectRoot, 'node_modules/.cache/afterword');
  const folder = join(cache, `chromium-${version}`);
  if (await exists(join(folder, 'chromium'))) return folder;
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, 'unpacking-'));
  await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', "await (await import('@sparticuz/chromium')).default.executablePath()"],
    // The second variable makes the package unpack its shared libraries as well.
    { cwd: projectRoot, env: { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' } },
  );
  await writeFile(join(staging, 'fonts', 'fonts.conf'), FONTS_CONF);
  try {
    await rename(staging, folder);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!(await exists(join(folder, 'chromium')))) throw error;
  }
  return folder;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

export function definedEnv(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
}

function unavailable(): never {
  throw new Error('The browser is available inside tests and hooks only.');
}
