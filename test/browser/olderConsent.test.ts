// Readers who refuse or agree late on pages with an older installation, alone or beside the tag: what is kept of them,
// and what scripts around it read.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { type OlderPages, openOlderPages } from '../support/olderPages.ts';
import { until } from '../support/until.ts';
import { TAG } from './olderInstallations.ts';

const OWN_TAG = '<script src="{host}/afterword.js" data-site="example.com"></script>';

/** Runs in a page before anything else: the reader refuses at the moment at which storage opens. */
function refuseAsStorageOpens(): void {
  const { open } = IDBFactory.prototype;
  let refused = false;
  IDBFactory.prototype.open = function (...args) {
    const opening = open.apply(this, args);
    // Before the widget's own listener.
    opening.addEventListener('success', () => {
      if (!refused) window.afterword!.push((a: { consent(given: boolean): unknown }) => a.consent(false));
      refused = true;
    });
    return opening;
  };
}

describeInBrowser('a reader of an older installation', (browser) => {
  let older: OlderPages;
  beforeAll(async () => {
    older = await openOlderPages(browser());
  });
  afterAll(() => older.close());

  it.concurrent.each([
    ['an older installation', TAG],
    ['an older installation beside the tag', OWN_TAG + TAG],
    ['the tag', OWN_TAG],
  ])('who refuses while storage opens leaves no cookie and no profile: %s', (_, tags) =>
    older.visiting(async (visit) => {
      const visited = await visit(tags, (context) => context.addInitScript(refuseAsStorageOpens));
      await visited.act();
      const [view] = await until('the view is here', () => (visited.events()[0] ? visited.events() : undefined));
      expect(view!.data).toEqual({ parsely_site_uuid: 'OPTOUT' });
      expect(await visited.cookies()).toEqual([]);
      expect(visited.trained()).toEqual([]);
    }),
  );

  it.concurrent.each([
    ['alone', TAG],
    ['beside the tag', OWN_TAG + TAG],
  ])('shows its id to scripts around it while it may have one, by whichever way the page says so: %s', (_, tags) =>
    older.visiting(async (visit) => {
      const { page, cookies } = await visit(tags);
      const id = () => page.evaluate('PARSELY.config.parsely_site_uuid');
      const decide = (call: string) => page.evaluate(`window.afterword.${call}`);
      expect(await id()).toMatch(/[0-9a-f]{32}$/);
      await decide('consent(false)');
      expect([await id(), await cookies()]).toEqual(['', []]);
      await decide('consent(true)');
      expect(await id()).toMatch(/[0-9a-f]{32}$/);
      await page.evaluate('new Promise((done) => afterword.push((a) => a.forget().then(done)))');
      expect([await id(), await cookies()]).toEqual(['', []]);
    }),
  );
});
