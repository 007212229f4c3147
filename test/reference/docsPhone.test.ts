// The reference on a phone, in a real browser.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { startServer, type TestServer } from '../support/server.ts';

describeInBrowser('the reference on a phone', (browser) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server?.stop();
    await removeDataDirs();
  });

  it('shows the meaning of each parameter and field without being moved aside', async () => {
    const page = await browser().newPage({ viewport: { width: 390, height: 800 } });
    try {
      await page.goto(`${server.url}/docs`);
      const cut = await page
        .locator('tbody tr')
        .evaluateAll((rows) =>
          rows
            .filter((row) => row.lastElementChild!.getBoundingClientRect().right > document.documentElement.clientWidth)
            .map((row) => row.textContent),
        );
      expect(cut).toEqual([]);
    } finally {
      await page.close();
    }
  });
});
