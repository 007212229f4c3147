// Readers who refuse or agree late on pages with an older installation, alone or beside the tag: what is kept of them,
// and what scripts around it read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { type OlderPages, openOlderPages, type Visit } from '../support/olderPages.ts';
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

  describe('in consent mode', () => {
    const mode = (settings = '') =>
      `<script>window.PARSELY = { enable_consent_tracking: true${settings} };</script>${TAG}`;
    const OPTED_OUT = { action: 'pageview', id: 'OPTOUT' };
    const id = (visited: Visit) => visited.page.evaluate('PARSELY.config.parsely_site_uuid');
    const shown = (visited: Visit) =>
      visited.events().map(({ action, data }) => ({ action, id: data?.parsely_site_uuid }));
    const opened = async (visited: Visit) => {
      await visited.act();
      return until('the view is here', () => (visited.events()[0] ? shown(visited) : undefined));
    };

    it.concurrent.each([
      ['has not answered', ''],
      ['refused, and lets views be counted', ', initialConsent: false, emit_on_denied: true'],
    ])('counts views without an id of a reader who %s', (_, settings) =>
      older.visiting(async (visit) => {
        const visited = await visit(mode(settings));
        expect(await opened(visited)).toEqual([OPTED_OUT]);
        expect([await id(visited), await visited.cookies(), visited.trained()]).toEqual(['', [], []]);
      }),
    );

    it.concurrent('has an id from the yes on, and counts the view no second time', () =>
      older.visiting(async (visit) => {
        const visited = await visit(mode());
        await opened(visited);
        await visited.act('PARSELY.setConsent(true); await until(() => PARSELY.config.parsely_site_uuid);');
        const given = await id(visited);
        expect(given).toMatch(/^pid=[0-9a-f]{32}$/);
        await until('the profile has the page', () => (visited.trained().includes(given as string) ? true : undefined));
        await visited.act('PARSELY.conversions.trackPurchase();');
        await until('the purchase is here', () => (visited.events()[1] ? true : undefined));
        expect(shown(visited)).toEqual([OPTED_OUT, { action: 'conversion', id: given }]);
        expect(await visited.cookies()).toHaveLength(1);
      }));

    it.concurrent.each([
      ['refused before', ', initialConsent: false', ''],
      ['refuses now', '', 'PARSELY.setConsent(false);'],
      ['takes back a yes', ', initialConsent: true', 'PARSELY.setConsent(false);'],
      [
        'takes back that views are counted',
        ', initialConsent: false, emit_on_denied: true',
        'PARSELY.emit_on_denied = false;',
      ],
    ])('reports nothing of a reader who %s', (_, settings, steps) =>
      older.visiting(async (visit) => {
        const visited = await visit(mode(settings));
        if (steps) await opened(visited);
        const before = visited.events().length;
        await visited.act(
          `${steps} await later(); PARSELY.conversions.trackPurchase(); PARSELY.beacon.trackPageView();`,
        );
        // What is reported now comes after all that was.
        await visited.act("PARSELY.emit_on_denied = true; await later(); PARSELY.conversions.trackCustom('last');");
        await until('the last one is here', () => (visited.events()[before] ? true : undefined));
        // But for the seconds of reading.
        const after = visited
          .events()
          .slice(before)
          .filter(({ action }) => action !== 'heartbeat');
        expect(after.map(({ data }) => [data?._conversion_label, data?.parsely_site_uuid])).toEqual([
          ['last', 'OPTOUT'],
        ]);
        expect([await id(visited), await visited.cookies()]).toEqual(['', []]);
      }),
    );

    it.concurrent('has an id at once of a reader who agreed before', () =>
      older.visiting(async (visit) => {
        const visited = await visit(mode(', initialConsent: true'));
        const [view] = await opened(visited);
        expect(view).toEqual({ action: 'pageview', id: await id(visited) });
        expect(await visited.cookies()).toHaveLength(1);
      }));

    it.concurrent('keeps Global Privacy Control in force, as plugins also say yes for readers who did not answer', () =>
      older.visiting(async (visit) => {
        const visited = await visit(mode(', initialConsent: true'), (context) =>
          context.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })),
        );
        await visited.act('PARSELY.setConsent(true); await later();');
        expect(await opened(visited)).toEqual([OPTED_OUT]);
        expect([await id(visited), await visited.cookies()]).toEqual(['', []]);
      }));

    it.concurrent('has no id before an answer beside the tag either', () =>
      older.visiting(async (visit) => {
        const visited = await visit(OWN_TAG + mode());
        expect(await opened(visited)).toEqual([OPTED_OUT]);
        expect([await id(visited), await visited.cookies(), visited.trained()]).toEqual(['', [], []]);
      }));
  });
});
