// Pages that were kept when they were left, and pages made ready before they are asked for: in a browser without a
// driver, since drivers turn both off. The pages act by themselves.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IncomingEvent } from '../../server/contract/wire.ts';
import { awaitStorage, SKIP_BROWSER } from '../support/browser.ts';
import { articlePage, openStage, type Stage } from '../support/stage.ts';
import { openUndriven, type Undriven } from '../support/undriven.ts';
import { until } from '../support/until.ts';

const SLOT = '<div data-afterword="related" data-limit="3"></div>';

// Needs a browser.
describe.skipIf(SKIP_BROWSER)('a page that a reader', () => {
  let stage: Stage;
  let open: Undriven | undefined;
  beforeAll(async () => {
    stage = await openStage();
    stage.answer('/say', (_, response) => void response.end());
  });
  afterAll(() => stage.close());
  beforeEach(() => {
    stage.calls.length = 0;
  });
  afterEach(async () => {
    await open?.close();
    open = undefined;
  });

  /** What pages say of themselves: `say(what, …)` in their scripts. */
  const said = (what: string) => stage.calls.find(({ path, query }) => path === '/say' && query.get('what') === what);
  const events = (action: string): IncomingEvent[] => stage.events().filter((event) => event.action === action);
  const SAY = (host: string) =>
    `<script>(${awaitStorage})(); const say = (what, more = '') => navigator.sendBeacon('${host}/say?what=' + what + '&more=' + encodeURIComponent(more));</script>`;

  /** Leaves for the page that goes back, once its own script says `ready`. */
  const leaving = (ready: string) => `${SAY(stage.host)}<script>
    addEventListener('pageshow', ({ persisted }) => {
      if (performance.getEntriesByType('navigation')[0].type === 'back_forward' || persisted)
        say(persisted ? 'kept' : 'anew', JSON.stringify(performance.getEntriesByType('navigation')[0].notRestoredReasons));
      else ${ready};
    });</script>`;
  const GOING_BACK = '<script>addEventListener("pageshow", () => setTimeout(() => history.back(), 100))</script>';
  const LEAVE = "location.href = '/back'";

  it('comes back to is counted again and continues where it was, and nothing of ours keeps it from being kept', async ({
    skip,
  }) => {
    stage.page('/end', '<!doctype html><title>End</title>');
    stage.page('/back', `<!doctype html><title>Back</title>${GOING_BACK}`);
    const bare = `<!doctype html><title>Bare</title>${leaving(`setTimeout(() => { ${LEAVE} }, 100)`)}`;
    open = await openUndriven(stage.page('/bare', bare));
    const kept = await until('the bare page says how it came back', () => said('kept') ?? said('anew'));
    // A browser without such a cache, as the one that comes with the tests: what the page is given is then tested by
    // widgetVisits.test.ts.
    if (kept.query.get('what') === 'anew') return skip('This browser keeps no page that is left.');
    await open.close();

    stage.calls.length = 0;
    const script = `
      // A reader who moves, for the whole time.
      setInterval(() => dispatchEvent(new Event('scroll')), 200);
      addEventListener('pageshow', ({ persisted }) => setTimeout(() => {
        if (!persisted) return;
        say('state', JSON.stringify([document.querySelector('[data-afterword]').shadowRoot.querySelectorAll('a').length, window.runs]));
        location.href = '/end';
      }, 2500));
      window.runs = (window.runs || 0) + 1;`;
    const ready = `addEventListener('afterword:impression', () => setTimeout(() => { ${LEAVE} }, 2500))`;
    const body = `${leaving(ready)}<script>${script}</script>${SLOT}`;
    open = await openUndriven(stage.page('/article', articlePage(stage, body)));
    const state = await until('the page reports its state', () => said('state'));
    expect(said('anew')?.query.get('more'), 'reasons not to keep it').toBeUndefined();
    expect(JSON.parse(state.query.get('more')!), 'its list, and one run of its script').toEqual([3, 1]);
    const views = await until('both views are reported', () =>
      events('pageview').length === 2 ? events('pageview') : undefined,
    );
    expect(new Set(views.map(({ url }) => url))).toEqual(new Set([`${stage.site}/article`]));
    expect(new Set(views.map(({ eid }) => eid)).size).toBe(2);
    expect(new Set(views.map(({ data }) => data!.parsely_site_uuid)).size, 'one reader').toBe(1);
    const scripts = stage.calls.filter(({ path }) => path.endsWith('.js')).map(({ path }) => path);
    expect(new Set(scripts).size, 'no script is fetched twice').toBe(scripts.length);
    const beats = await until('both readings are reported', () =>
      events('heartbeat').length === 2 ? events('heartbeat') : undefined,
    );
    const [first = 0, second = 0] = beats.map(({ inc }) => inc!);
    for (const seconds of [first, second]) expect(seconds).toBeGreaterThanOrEqual(1);
    expect(first + second, 'without the time it was kept').toBeLessThanOrEqual(7);
    expect(beats.map(({ tt }) => tt)).toEqual([first, first + second]);
  });

  it('has not opened yet asks for nothing and counts nothing, and is one view with its list once it is opened', async () => {
    stage.page('/end', '<!doctype html><title>End</title>');
    stage.page(
      '/next',
      articlePage(
        stage,
        `${SAY(stage.host)}<script>
          say(document.prerendering ? 'early' : 'late');
          document.addEventListener('prerenderingchange', () => say('opened'));
          (window.afterword ||= []).push((a) => a.visitor().then(() => setTimeout(() => say('running'), 1500)));
          addEventListener('afterword:render', () => say('shown'));
          addEventListener('afterword:impression', () => setTimeout(() => { location.href = '/end' }, 1500));</script>${SLOT}`,
      ),
    );
    // Opens the next page on command: by an answer, which the test holds back.
    const rules = '{"prerender":[{"urls":["/next"],"eagerness":"immediate"}]}';
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    stage.answer('/go', async (_, response) => {
      await held;
      response.end('go');
    });
    const first = `<!doctype html><title>First</title><script type="speculationrules">${rules}</script>
      <script>fetch('${stage.host}/go').then(() => { location.href = '/next' })</script>`;
    open = await openUndriven(stage.page('/first', first));
    // Reports wait a second for company; it says so later than that.
    await until('the widget runs on the page that waits', () =>
      stage.calls.some(({ path }) => path.startsWith('/page-')),
    );
    await until('the page says that its widget runs', () => said('running'));
    expect(said('early')).toBeDefined();
    expect(said('opened')).toBeUndefined();
    expect(stage.events()).toEqual([]);
    expect(stage.calls.filter(({ path }) => path.startsWith('/v2/'))).toEqual([]);
    release();
    await until('the page is opened, and its list is there', () => said('opened') && said('shown'));
    const [view] = await until('its view is reported', () =>
      events('pageview').length > 0 ? events('pageview') : undefined,
    );
    expect(view!.url).toBe(`${stage.site}/next`);
    expect(events('pageview')).toHaveLength(1);
    await until('the profile learns of it', () => stage.calls.some(({ path }) => path === '/v2/profile'));
    const [report] = await until('its list is reported when it is left', () =>
      events('list').length > 0 ? events('list') : undefined,
    );
    expect(report!.url).toBe(`${stage.site}/next`);
    expect(report!.lists).toMatchObject([{ list: 'related', slot: '1', shown: true }]);
  });
});
