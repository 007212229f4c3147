// The preview in the colours that a reader's system forces on all pages.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { startServer, type TestServer } from '../support/server.ts';

describeInBrowser('the preview in forced colours', (browser) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it('shows what is chosen', async () => {
    const page = await browser().newPage({ forcedColors: 'active' });
    await page.goto(`${server.url}/preview`);
    const compact = page.getByRole('radio', { name: 'Compact' });
    /** A spot of its background. */
    const spot = async (): Promise<string> => {
      const { x, y } = (await compact.locator('..').boundingBox())!;
      return (await page.screenshot({ clip: { x: x + 4, y: y + 4, width: 1, height: 1 } })).toString('base64');
    };
    const before = await spot();
    await compact.check();
    // The ring of the focus is no sign of it.
    await compact.blur();
    expect((await spot()) === before, 'it looks as before').toBe(false);
    await page.close();
  });
});
