// The console as it was built, on a port of its own, in front of an application whose clock a test sets.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { createListener } from '../../server/app.ts';
import type { Deps } from '../../server/context.ts';
import { ensureBuilt, root } from '../support/build.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';
import { openDesktop } from './newsroomPage.ts';

/** `url` is that of the console's first page. */
export async function serveConsole(deps: Deps): Promise<{ url: string; close(): void }> {
  await ensureBuilt();
  const settings = { ...deps.settings, widgetDir: join(root, 'dist/widget') };
  const server = createServer(createListener({ ...deps, settings }));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/console/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A site of Berlin, its console, and a page of a browser. */
export interface RoomPage {
  room: Newsroom;
  /** Of the console's first page. */
  url: string;
  page: Page;
}

/**
 * A site with one post and some views of it, for the tests of a suite.
 * @param of.now What the clock of the server shows, and of `views` the times; epoch milliseconds.
 * @param ready Called once, before the tests.
 */
export function roomPage(
  browser: () => Browser,
  { now, views }: { now: number; views: readonly number[] },
  ready: (opened: RoomPage) => void,
): void {
  let room: Newsroom;
  let server: Awaited<ReturnType<typeof serveConsole>>;
  let context: BrowserContext;
  beforeAll(async () => {
    const url = 'https://paper.example/a';
    room = await openNewsroom({ now, timezone: 'Europe/Berlin' });
    await room.write(url, { title: 'A' });
    await room.happen(...views.map((time) => ({ url, time })));
    server = await serveConsole(room.deps);
    const opened = await openDesktop(browser(), []);
    context = opened.context;
    ready({ room, url: server.url, page: opened.page });
  });
  afterAll(async () => {
    await context?.close();
    server?.close();
    await room?.close();
  });
}
