// The Firefox of this machine, if it has one, for the tests of what browsers draw differently. npm brings none.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, firefox } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { definedEnv, SKIP_BROWSER } from './browser.ts';

const NAMES = ['firefox-esr', 'firefox'];
const STARTER = fileURLToPath(new URL('firefox.sh', import.meta.url));
const PATIENCE_MS = 100_000;

/** A desktop's: bars that take no room, and a pointer that hovers, which a browser without a screen says it has not. */
const PREFERENCES = {
  'ui.useOverlayScrollbars': 1,
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
};

/**
 * `describe` with one Firefox for the whole file, closed at its end; skipped where there is none.
 * @param zone Time zone of its reader.
 */
export function describeInFirefox(name: string, zone: string, body: (browser: () => Browser) => void): void {
  const path = installed();
  if (path === undefined || SKIP_BROWSER) {
    const reason = SKIP_BROWSER ? 'AFTERWORD_SKIP_BROWSER=1 is set' : `this machine has neither ${NAMES.join(' nor ')}`;
    console.warn(`NOT TESTED: "${name}" needs Firefox, and ${reason}. Debian: apt-get install firefox-esr.`);
    describe.skip(name, () => body(() => unavailable()));
    return;
  }
  describe(name, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await launchFirefox(path, zone);
    });
    afterAll(async () => {
      await browser?.close();
    });
    body(() => browser ?? unavailable());
  });
}

/** Starts a stock Firefox by WebDriver BiDi. The caller closes it. */
function launchFirefox(path: string, zone: string): Promise<Browser> {
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: STARTER,
    env: { ...definedEnv(), AFTERWORD_FIREFOX: path, TZ: zone },
    firefoxUserPrefs: PREFERENCES,
    timeout: PATIENCE_MS,
  });
}

/** Path of `AFTERWORD_FIREFOX` if set, else of the first that is installed. */
function installed(): string | undefined {
  const named = process.env.AFTERWORD_FIREFOX;
  if (named) return named;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function unavailable(): never {
  throw new Error('Firefox is available inside tests and hooks only.');
}
