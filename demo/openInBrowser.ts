// Shows a page in the reader's own browser, where there is one.
import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};

/** Tries, and says nothing when there is no browser: the address has been printed. */
export function openInBrowser(url: string): void {
  const [command, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...words, url], { stdio: 'ignore', detached: true });
  child.once('error', () => child.unref());
  child.unref();
}
