// A relay between the driver and a stock Firefox, both of which use WebDriver BiDi. The driver sets up each page with
// commands that the Firefox of Debian (140) does not know yet. Where such a command asks for no more than what is so
// anyway, "unknown command" becomes success.
//
//   AFTERWORD_FIREFOX=/usr/bin/firefox-esr firefox.sh --remote-debugging-port=0 --headless --profile …
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

interface Command {
  id: number;
  method: string;
  params: { features?: Record<string, string | null> };
}

/** Commands of a page's setup that may fail: bodies of answers are not read, nothing is downloaded, the screen is not turned. */
const DISPENSABLE = new Set([
  'network.addDataCollector',
  'browser.setDownloadBehavior',
  'emulation.setScreenOrientationOverride',
  'emulation.setScreenSettingsOverride',
]);

/** A dark page that is asked for and not shown would be a test of another page, and stays an error. */
function isDispensable({ method, params }: Command): boolean {
  const isLight = Object.values(params.features ?? {}).every((value) => value === null || value === 'light');
  return DISPENSABLE.has(method) || (method === 'emulation.setMediaFeaturesOverride' && isLight);
}

/** Relays one session. */
async function relay(driver: WebSocket, address: string): Promise<void> {
  const dispensable = new Set<number>();
  const firefox = new WebSocket(`${address}/session`);
  const isOpen = once(firefox, 'open');
  driver.on('message', async (data) => {
    const text = String(data);
    const command = JSON.parse(text) as Command;
    if (isDispensable(command)) dispensable.add(command.id);
    await isOpen;
    firefox.send(text);
  });
  firefox.on('message', (data) => {
    const text = String(data);
    const { id, error } = JSON.parse(text) as { id?: number; error?: string };
    const isWaived = id !== undefined && dispensable.delete(id) && error === 'unknown command';
    driver.send(isWaived ? JSON.stringify({ type: 'success', id, result: { collector: '' } }) : text);
  });
  firefox.on('close', () => driver.close());
}

const [path = 'firefox', args] = [process.env.AFTERWORD_FIREFOX, process.argv.slice(2)];
const firefox = spawn(path, args, { stdio: ['ignore', 'inherit', 'pipe'] });
firefox.on('exit', (code) => process.exit(code ?? 1));
firefox.on('error', (error) => {
  console.error(`${path} does not start: ${error.message}`);
  process.exit(1);
});
for await (const line of createInterface({ input: firefox.stderr })) {
  const address = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(line)?.[1];
  if (address === undefined) {
    console.error(line);
    continue;
  }
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (driver) => {
    // A driver that is gone leaves no browser behind.
    driver.on('close', () => firefox.kill());
    void relay(driver, address);
  });
  console.error(`WebDriver BiDi listening on ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
