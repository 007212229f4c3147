// Events that one page view could not deliver: kept with the reader's consent, sent by a later one, counted once.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import type { Afterword } from '../../widget/commands.ts';
import { countViews } from '../support/beacons.ts';
import { describeInBrowser, shortenPauses } from '../support/browser.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { databases, keepEvents, keptEvents } from '../support/keptEvents.ts';
import { freePorts } from '../support/ports.ts';
import { refusingStage, status, takeAll } from '../support/refusingStage.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';
import { articlePage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const DAY_MS = 86_400_000;

describeInBrowser('events that a page view could not deliver', (browser) => {
  const at = refusingStage(browser);

  it('are sent with the first batch of the next one when the tab was closed', async () => {
    const { page, stage, context } = at();
    at().refuse(status(503));
    await page.goto(`${stage.site}/a`);
    await at().kept(1);
    const [first] = await keptEvents(page);
    // What the tab tries again meanwhile, or when it is closed, arrives nowhere.
    await context.setOffline(true);
    await page.close();
    await context.setOffline(false);
    at().refuse(takeAll);
    stage.calls.length = 0;
    const next = await context.newPage();
    await next.goto(`${stage.site}/b`);
    expect(await at().views(2)).toEqual(['/a', '/b']);
    expect(at().taken[0]).toEqual(JSON.parse(first!));
    expect(at().requests()).toHaveLength(1);
    await at().kept(0, next);
  });

  it('in two tabs at once are all delivered, and neither keeps them', async () => {
    const { page, stage, context } = at();
    at().refuse(status(503));
    const other = await context.newPage();
    await Promise.all([page.goto(`${stage.site}/a`), other.goto(`${stage.site}/b`)]);
    await at().kept(2);
    at().refuse(takeAll);
    const third = await context.newPage();
    await third.goto(`${stage.site}/c`);
    await at().views(3);
    await at().kept(0);
    const views = at().taken.filter(({ action }) => action === 'pageview');
    expect(new Set(views.map(({ eid }) => eid)).size, 'sent again under the same ids').toBe(3);
  });

  it('for a day are deleted', async () => {
    const { page, stage } = at();
    await page.goto(`${stage.site}/a`);
    await at().asked(1);
    const events = [
      { eid: 'old', date: Date.now() - DAY_MS },
      { eid: 'young', date: Date.now() },
    ];
    await keepEvents(page, stage.host, events);
    at().refuse(takeAll);
    await page.goto(`${stage.site}/b`);
    await at().views(1);
    const eids = at().taken.map(({ eid }) => eid);
    expect(eids).toContain('young');
    expect(eids).not.toContain('old');
    await at().kept(0);
  });

  it('to another server are not sent to this one', async () => {
    const { page, stage } = at();
    await page.goto(`${stage.site}/a`);
    await at().asked(1);
    await keepEvents(page, 'https://stats.example', [{ eid: 'foreign', date: Date.now() }]);
    at().refuse(takeAll);
    await page.goto(`${stage.site}/b`);
    await at().views(1);
    expect(at().taken.map(({ eid }) => eid)).not.toContain('foreign');
    expect(await keptEvents(page)).toHaveLength(1);
  });

  it('are kept after a yes only, and deleted with the id when the reader is forgotten', async () => {
    const { page, stage } = at();
    at().refuse(status(503));
    stage.page('/required', articlePage(stage, '<p>Text</p>', 'data-consent="required"'));
    await page.goto(`${stage.site}/required`);
    await at().say((a) => a.consent(true));
    await at().kept(1);
    await at().say((a) => a.forget());
    expect(await databases(page)).toBe(0);
    at().refuse(takeAll);
    await page.goto(`${stage.site}/b`);
    expect(await at().views(1)).toEqual(['/b']);
  });

  it('are not sent where the reader refuses while they are read', async () => {
    const { page, stage } = at();
    await page.goto(`${stage.site}/a`);
    await at().asked(1);
    await keepEvents(page, stage.host, [{ eid: 'earlier', date: Date.now(), data: { parsely_site_uuid: 'reader' } }]);
    at().refuse(takeAll);
    const refusing = '<script>(window.afterword ||= []).push((a) => { a.visitor(); a.forget(); })</script>';
    stage.page('/refused', articlePage(stage, refusing));
    await page.goto(`${stage.site}/refused`);
    await at().views(1);
    await at().say((a) => a.conversion('custom'));
    await until('the conversion is taken', () => at().taken.some(({ action }) => action === 'conversion'));
    expect(at().taken.map(({ eid }) => eid)).not.toContain('earlier');
    expect(at().taken.map(({ data }) => data!.parsely_site_uuid)).toEqual(at().taken.map(() => 'OPTOUT'));
  });
});

const SITE = 'harbour.example';

/** A site with pages of its own, its server, which is not started yet, and a browser context. */
interface Reading {
  /** The server, once it is started. */
  server(): TestServer;
  /** Starts the server, on the same port and data at each call. */
  start(...flags: string[]): Promise<void>;
  addSite(): Promise<TestSite>;
  /** Opens a page of the site. Resolves when its first events were answered. */
  open(path: string): Promise<Page>;
  keeps(page: Page, path: string): Promise<unknown>;
  /** Sends a batch as a robot, which counts against the rate and is not stored. @returns its status. */
  drain(length: number): Promise<number>;
  /** Paths of all views that are stored. */
  viewed(): Promise<string[]>;
}

/** Ends what the test started. */
async function reading(browser: Browser, test: (at: Reading) => Promise<void>): Promise<void> {
  const dataDir = makeDataDir();
  await copyEmptyDatabase(join(dataDir, 'engine'));
  const [port = 0] = await freePorts(1);
  const paper = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><title>Pier</title><script src="http://127.0.0.1:${port}/afterword.js" data-site="${SITE}"></script>`,
    );
  });
  await new Promise<void>((done) => paper.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(paper.address() as AddressInfo).port}`;
  const context = await browser.newContext();
  await context.addInitScript(shortenPauses, true);
  let server: TestServer | undefined;
  try {
    await test({
      server: () => server!,
      async start(...flags) {
        server = await startServer({ dataDir, flags: ['--port', String(port), ...flags] });
      },
      addSite: () => addSite(server!, SITE, '--domain', new URL(origin).host),
      async open(path) {
        const page = await context.newPage();
        const reported = page.waitForResponse(`${server!.url}/events`);
        await page.goto(origin + path);
        await reported;
        return page;
      },
      keeps: (page, path) =>
        until(`the view of ${path} is kept`, async () =>
          (await keptEvents(page)).some((event) => event.includes(origin + path)),
        ),
      async drain(length) {
        const events = Array.from({ length }, () => ({ idsite: SITE, action: 'pageview', url: `${origin}/` }));
        return (await fetch(`${server!.url}/events`, { method: 'POST', body: JSON.stringify({ events }) })).status;
      },
      viewed: async () => (await viewsOf(server!)).map((url) => url.replace(origin, '')).sort(),
    });
  } finally {
    await context.close();
    await server?.kill();
    paper.closeAllConnections();
    paper.close();
  }
}

async function viewsOf(server: TestServer): Promise<string[]> {
  await allStored(server);
  const { code, stdout, stderr } = await runCommand(['export', 'views', SITE, '--data', server.dataDir]);
  if (code !== 0) throw new Error(stderr);
  const lines = stdout.split('\n').filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as { url: string; action: string });
  return events.filter(({ action }) => action === 'pageview').map(({ url }) => url);
}

const move = (page: Page, path: string) => page.evaluate((to) => history.pushState(null, '', to), path);

describeInBrowser('readers of a site whose server is started again', (browser) => {
  afterAll(removeDataDirs);

  /** At once with the others: each waits for a server of its own most of the time. */
  const itReads = (name: string, test: (at: Reading) => Promise<void>) =>
    it.concurrent(name, () => reading(browser(), test));

  itReads('are counted once for each page they saw meanwhile, also those who closed the tab', async (at) => {
    const { server, start, open, keeps, viewed } = at;
    await start();
    const site = await at.addSite();
    const stays = await open('/before-1');
    const leaves = await open('/before-2');
    let failures = 0;
    stays.on('requestfailed', () => failures++);
    await server().stop();
    await move(stays, '/meanwhile-1');
    await move(leaves, '/meanwhile-2');
    await keeps(leaves, '/meanwhile-2');
    await leaves.close();
    await keeps(stays, '/meanwhile-1');
    // Seconds, as the pauses grow.
    await until('it was tried four times', () => failures >= 4);
    await start();
    // Counted first: an export is a process of its own.
    const isThere = async () => (await countViews(server(), site)) > 2 && (await viewed()).includes('/meanwhile-1');
    await until('the view of the open page is delivered', isThere);
    await open('/after');
    await until('nothing is kept', async () => (await keptEvents(stays)).length === 0);
    expect(await viewed()).toEqual(['/after', '/before-1', '/before-2', '/meanwhile-1', '/meanwhile-2']);
  });

  itReads('are counted once for each event when they send more than the server takes at a time', async (at) => {
    const { server, open, drain, viewed } = at;
    await at.start('--max-batch', '10', '--site-rate', '4');
    const site = await at.addSite();
    const page = await open('/');
    const statuses = new Set<number>();
    page.on('response', (response) => {
      if (response.url().endsWith('/events')) statuses.add(response.status());
    });
    for (const length of [10, 1])
      await until('the rate of the site is used up', async () => (await drain(length)) === 429);
    await page.evaluate(() => {
      const afterword = window.afterword as unknown as Afterword;
      for (let index = 0; index < 16; index++) void afterword.view();
    });
    await until('all are stored', async () => (await countViews(server(), site)) >= 17);
    await until('nothing is kept', async () => (await keptEvents(page)).length === 0);
    expect([...statuses].sort()).toEqual([200, 422, 429]);
    expect(await viewed()).toHaveLength(17);
  });
});
